package dev.latchkey.auth.cache;

import java.time.Duration;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link CredentialCacheStats}. Any number of threads may write at once. */
final class Counters {

    final LongAdder hits = new LongAdder();
    final LongAdder missesAbsent = new LongAdder();
    final LongAdder missesOther = new LongAdder();
    final LongAdder missesExpired = new LongAdder();
    final LongAdder bypassed = new LongAdder();
    final LongAdder stored = new LongAdder();
    final LongAdder notStored = new LongAdder();
    final LongAdder evictedBySize = new LongAdder();
    final LongAdder evictedByBound = new LongAdder();
    final LongAdder evictedByExpiry = new LongAdder();
    final LongAdder evictedByRequest = new LongAdder();
    final LongAdder flights = new LongAdder();
    final LongAdder waiters = new LongAdder();
    final LongAdder failedLoads = new LongAdder();
    private final LongAdder successes = new LongAdder();
    private final LongAdder successNanos = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

    void succeeded(long nanos) {
        successes.increment();
        successNanos.add(nanos);
        longestNanos.accumulate(nanos);
    }

    CredentialCacheStats read(long inFlight, long size, CredentialCacheSettings settings) {
        long count = successes.sum();
        return new CredentialCacheStats(
                hits.sum(),
                missesAbsent.sum(),
                missesOther.sum(),
                missesExpired.sum(),
                bypassed.sum(),
                stored.sum(),
                notStored.sum(),
                evictedBySize.sum(),
                evictedByBound.sum(),
                evictedByExpiry.sum(),
                evictedByRequest.sum(),
                flights.sum(),
                waiters.sum(),
                failedLoads.sum(),
                inFlight,
                Duration.ofNanos(count == 0 ? 0 : successNanos.sum() / count),
                Duration.ofNanos(longestNanos.get()),
                size,
                settings.maximumSize(),
                settings.absoluteExpiry());
    }
}
