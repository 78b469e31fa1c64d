package dev.latchkey.plugins.apikeys;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was read of keys lately, by their ids; at most so many, and none longer than so long. What is asked for by many at once is read by one of
 * them on its own thread, and the others wait for it.
 *
 * <p>What is forgotten while it is being read is forgotten too: whoever asks afterwards reads anew. What cannot be read is not remembered, and
 * what was read before is not used beyond its time. Safe for use by any number of threads.
 */
final class KeyReadings {

    /** A reading takes two questions, each of which ends sooner. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final AsyncCache<String, Reading> readings;
    private final Function<String, Reading> reader;
    private final long good;
    private final LongSupplier nanoTime;

    KeyReadings(Function<String, Reading> reader, long most, Duration good, LongSupplier nanoTime) {
        this.reader = reader;
        this.good = good.toNanos();
        this.nanoTime = nanoTime;
        this.readings = Caffeine.newBuilder()
                .maximumSize(most)
                // Frees the room of what nobody asks for; how long a reading is good is decided where it is used.
                .expireAfterWrite(good.multipliedBy(2))
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .buildAsync();
    }

    /** @throws AuthUnavailableException if it cannot be read */
    Reading of(String id) {
        CompletableFuture<Reading> there = readings.getIfPresent(id);
        if (there != null && there.isDone() && !there.isCompletedExceptionally()) {
            Reading reading = there.join();
            if (nanoTime.getAsLong() - reading.readAt() < good) {
                return reading;
            }
        }
        return there != null && !there.isDone() ? await(there) : readInPlaceOf(there, id);
    }

    private Reading readInPlaceOf(@Nullable CompletableFuture<Reading> old, String id) {
        ConcurrentMap<String, CompletableFuture<Reading>> map = readings.asMap();
        if (old != null) {
            map.remove(id, old);
        }
        CompletableFuture<Reading> mine = new CompletableFuture<>();
        CompletableFuture<Reading> other = map.putIfAbsent(id, mine);
        if (other != null) {
            return await(other);
        }
        try {
            mine.complete(reader.apply(id));
        } catch (RuntimeException | Error e) {
            mine.completeExceptionally(e);
        }
        return await(mine);
    }

    private static Reading await(CompletableFuture<Reading> reading) {
        try {
            return reading.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AuthUnavailableException outage) {
                throw outage;
            }
            throw new IllegalStateException("An API key could not be read", e.getCause());
        } catch (TimeoutException e) {
            throw AuthUnavailableException.outage("An API key was not read within " + LONGEST_WAIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("The thread was interrupted while an API key was read", e);
        }
    }

    /** Has it read anew. */
    void forget(String id) {
        readings.asMap().remove(id);
    }

    /** Has all keys of this account read anew, and what is being read now. */
    void forgetAllOf(String account) {
        readings.asMap()
                .values()
                .removeIf(reading -> !reading.isDone()
                        || reading.isCompletedExceptionally()
                        || reading.join().isOf(account));
    }
}
