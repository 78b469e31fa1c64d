package dev.latchkey.plugins.apikeys;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of rows by the ids of keys, with a limit and a lifetime. Concurrent requests for a missing row cause a single
 * read: the first request reads on its own thread, and the other requests wait.
 *
 * <p>If an entry is removed while its row is being read, later requests read again. Failures are not cached, and an
 * entry is not used beyond its lifetime. Safe for use by any number of threads.
 */
final class KeyReadings {

    /** A read consists of two calls, and each call ends earlier. */
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
                // Removes unused entries from memory. The lifetime of an entry is checked at each use.
                .expireAfterWrite(good.multipliedBy(2))
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .buildAsync();
    }

    /** @throws AuthUnavailableException if the row cannot be read */
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
            mine.completeExceptionally(new NotRead(e));
        }
        return await(mine);
    }

    private static Reading await(CompletableFuture<Reading> reading) {
        try {
            return reading.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (NotRead e) {
            if (e.getCause() instanceof AuthUnavailableException outage) {
                throw outage;
            }
            throw new IllegalStateException("An API key could not be read", e.getCause());
        } catch (ExecutionException e) {
            throw new IllegalStateException("A reading ends with a value or a NotRead", e);
        } catch (TimeoutException e) {
            throw AuthUnavailableException.outage("An API key was not read within " + LONGEST_WAIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("The thread was interrupted while an API key was read", e);
        }
    }

    /** Removes this key's entry. */
    void forget(String id) {
        readings.asMap().remove(id);
    }

    /** Removes all entries of this account, and all entries being read now. */
    void forgetAllOf(String account) {
        readings.asMap()
                .values()
                .removeIf(reading -> !reading.isDone()
                        || reading.isCompletedExceptionally()
                        || reading.join().isOf(account));
    }

    /** A failed read, as a cancellation: Caffeine logs each other failure with its stack trace, for each request. */
    private static final class NotRead extends CancellationException {

        private static final long serialVersionUID = 1;

        NotRead(Throwable cause) {
            initCause(cause);
        }
    }
}
