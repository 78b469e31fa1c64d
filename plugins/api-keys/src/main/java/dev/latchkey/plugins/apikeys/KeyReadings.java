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
 * A cache of rows by the ids of keys, with a limit and a lifetime. Concurrent requests for a missing row cause a single
 * read: the first request reads on its own thread, and the other requests wait.
 *
 * <p>If an entry is removed while its row is being read, later requests read again. Failures are not cached, and an
 * entry is not used beyond its lifetime. Safe for use by any number of threads.
 */
final class KeyReadings {

    /** A read calls the store, and then the source of the account. Both calls together usually end earlier. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final AsyncCache<String, Outcome> readings;
    private final Function<String, Reading> reader;
    private final long good;
    private final LongSupplier nanoTime;

    KeyReadings(Function<String, Reading> reader, long most, Duration good, LongSupplier nanoTime) {
        this.reader = reader;
        this.good = good.toNanos();
        this.nanoTime = nanoTime;
        this.readings = Caffeine.newBuilder()
                .maximumSize(most)
                // Only frees memory. The lifetime of an entry is checked at each use.
                .expireAfterWrite(good.multipliedBy(2))
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .buildAsync();
    }

    /** The row in the cache; null if the row is missing, is too old, or is being read. */
    @Nullable
    Reading known(String id) {
        CompletableFuture<Outcome> there = readings.getIfPresent(id);
        Reading reading = there == null || !there.isDone() ? null : there.join().reading();
        return reading == null || nanoTime.getAsLong() - reading.readAt() >= good ? null : reading;
    }

    /**
     * The row in the cache, or else in the store.
     *
     * @throws AuthUnavailableException if the row cannot be read
     */
    Reading of(String id) {
        Reading known = known(id);
        if (known != null) {
            return known;
        }
        CompletableFuture<Outcome> there = readings.getIfPresent(id);
        return there != null && !there.isDone() ? await(there) : readInPlaceOf(there, id);
    }

    private Reading readInPlaceOf(@Nullable CompletableFuture<Outcome> old, String id) {
        ConcurrentMap<String, CompletableFuture<Outcome>> map = readings.asMap();
        if (old != null) {
            map.remove(id, old);
        }
        CompletableFuture<Outcome> mine = new CompletableFuture<>();
        CompletableFuture<Outcome> other = map.putIfAbsent(id, mine);
        if (other != null) {
            return await(other);
        }
        try {
            Reading read = reader.apply(id);
            if (read.isUnknown()) {
                // Unknown ids are not cached: requests with random ids would displace the keys.
                map.remove(id, mine);
            }
            mine.complete(new Outcome(read, null));
        } catch (RuntimeException | Error e) {
            // Not as a failed future, because Caffeine would log a stack trace for each request.
            map.remove(id, mine);
            mine.complete(new Outcome(null, e));
        }
        return await(mine);
    }

    private static Reading await(CompletableFuture<Outcome> outcome) {
        try {
            return outcome.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS).reading();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A reading ends with an outcome", e);
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
                .removeIf(outcome -> !outcome.isDone() || outcome.join().isOf(account));
    }

    /** A row, or the failure of its read. Only rows stay in the cache. */
    private record Outcome(@Nullable Reading read, @Nullable Throwable failure) {

        /** @throws AuthUnavailableException if the row could not be read */
        Reading reading() {
            if (read != null) {
                return read;
            }
            if (failure instanceof AuthUnavailableException outage) {
                throw outage;
            }
            throw new IllegalStateException("An API key could not be read", failure);
        }

        boolean isOf(String account) {
            return read == null || read.isOf(account);
        }
    }
}
