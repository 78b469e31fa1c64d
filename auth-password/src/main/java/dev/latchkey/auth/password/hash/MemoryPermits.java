package dev.latchkey.auth.password.hash;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits the total memory of concurrent argon2 and scrypt hashes.
 *
 * <p>By default, one argon2id hash takes 19 MiB and one scrypt hash 128 MiB. Without a limit, many simultaneous logins
 * end in an {@link OutOfMemoryError}, which affects the whole service. If a hash gets no memory in time, the caller
 * gets {@link AuthUnavailableException.Kind#OVERLOAD}, which says nothing about the password.
 *
 * <p>First come, first served. Safe for use by any number of threads. Share one instance between encoders with the same
 * heap.
 */
public final class MemoryPermits {

    private static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(2);
    private static final Duration LONGEST_MAX_WAIT = Duration.ofHours(1);
    private static final int UNIT_BYTES = 1024;
    private static final int DEFAULT_SHARE_OF_HEAP = 4;
    private static final MemoryPermits SHARED = ofBytes(Runtime.getRuntime().maxMemory() / DEFAULT_SHARE_OF_HEAP);

    private final Semaphore units;
    private final int totalUnits;
    private final Duration maxWait;

    private MemoryPermits(Semaphore units, int totalUnits, Duration maxWait) {
        this.units = units;
        this.totalUnits = totalUnits;
        this.maxWait = maxWait;
    }

    /**
     * Creates permits for this many bytes, with a wait of at most 2 seconds.
     *
     * @param bytes at least 1 KiB; counted in whole KiB, up to 2 TiB
     * @return permits independent of all others
     * @throws IllegalArgumentException if the value is less than 1 KiB
     */
    public static MemoryPermits ofBytes(long bytes) {
        if (bytes < UNIT_BYTES) {
            throw new IllegalArgumentException("Memory permits are for at least 1 KiB, got " + bytes + " bytes");
        }
        int total = (int) Math.min(bytes / UNIT_BYTES, Integer.MAX_VALUE);
        return new MemoryPermits(new Semaphore(total, true), total, DEFAULT_MAX_WAIT);
    }

    /**
     * The default permits, shared by encoders: a quarter of this JVM's largest heap.
     *
     * @return the same instance each time
     */
    public static MemoryPermits quarterOfHeap() {
        return SHARED;
    }

    /**
     * Returns the same shared permits with another limit on waiting.
     *
     * @param maxWait 0 to 1 hour
     * @return permits for the same memory
     * @throws IllegalArgumentException if the wait is outside the range
     */
    public MemoryPermits withMaxWait(Duration maxWait) {
        if (maxWait.isNegative() || maxWait.compareTo(LONGEST_MAX_WAIT) > 0) {
            throw new IllegalArgumentException("The wait for memory is 0 to 1 hour, got " + maxWait);
        }
        return new MemoryPermits(units, totalUnits, maxWait);
    }

    /**
     * The total number of bytes.
     *
     * @return a multiple of 1 KiB
     */
    public long totalBytes() {
        return (long) totalUnits * UNIT_BYTES;
    }

    /**
     * The number of free bytes.
     *
     * @return a snapshot, for metrics
     */
    public long availableBytes() {
        return (long) units.availablePermits() * UNIT_BYTES;
    }

    /**
     * Runs the work while holding this many bytes, and returns the result.
     *
     * @param bytes at most {@link #totalBytes}: rows with a higher need are rejected when read
     * @throws AuthUnavailableException if the memory did not become free in time, or the thread was interrupted
     */
    <T> T whileHolding(long bytes, Supplier<T> work) {
        int wanted = Math.toIntExact((bytes + UNIT_BYTES - 1) / UNIT_BYTES);
        if (wanted > totalUnits) {
            throw new IllegalStateException("There are permits for " + totalUnits + " KiB, not for " + wanted);
        }
        acquire(wanted);
        try {
            return work.get();
        } finally {
            units.release(wanted);
        }
    }

    private void acquire(int wanted) {
        try {
            if (!units.tryAcquire(wanted, maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
                throw overloaded(wanted);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw overloaded(wanted);
        }
    }

    private AuthUnavailableException overloaded(int wanted) {
        String message = String.format(
                Locale.ROOT,
                "No memory for another password hash: %,d KiB wanted, %,d of %,d KiB free after %d ms",
                wanted,
                units.availablePermits(),
                totalUnits,
                maxWait.toMillis());
        return AuthUnavailableException.overload(message, maxWait.plusSeconds(1));
    }
}
