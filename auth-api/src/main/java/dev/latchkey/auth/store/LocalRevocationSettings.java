package dev.latchkey.auth.store;

import java.time.Duration;

/**
 * Settings for the copy in {@link LocalRevocations}.
 *
 * @param staleAfter the greatest age of a copy that answers alone. A token revoked on another node is accepted for at
 *     most this time; during an outage of the store, for at most {@code acceptStaleFor} if longer
 * @param acceptStaleFor the greatest age of a copy that answers during an outage of the store. With zero, the default, a
 *     copy older than {@code staleAfter} accepts no token
 * @param maximumSize the number of revocations in the copy; with more revocations, each question goes to the store
 */
public record LocalRevocationSettings(Duration staleAfter, Duration acceptStaleFor, int maximumSize) {

    /**
     * Checks the values.
     *
     * @param staleAfter positive
     * @param acceptStaleFor zero or positive
     * @param maximumSize positive
     * @throws IllegalArgumentException if a value is outside its range
     */
    public LocalRevocationSettings {
        if (staleAfter.isNegative() || staleAfter.isZero()) {
            throw new IllegalArgumentException("A copy must be fresh for a while, got " + staleAfter);
        }
        if (acceptStaleFor.isNegative()) {
            throw new IllegalArgumentException("A stale copy cannot be accepted for " + acceptStaleFor);
        }
        if (maximumSize < 1) {
            throw new IllegalArgumentException("A copy must hold at least one revocation, got " + maximumSize);
        }
    }

    /**
     * Stale after two seconds, a stale copy accepts no token, a million revocations.
     *
     * @return the default settings
     */
    public static LocalRevocationSettings defaults() {
        return new LocalRevocationSettings(Duration.ofSeconds(2), Duration.ZERO, 1_000_000);
    }

    /**
     * Other settings, with this greatest age of a copy that answers alone.
     *
     * @param age the longest time for which a token revoked on another node is still accepted; positive
     * @return other settings
     */
    public LocalRevocationSettings withStaleAfter(Duration age) {
        return new LocalRevocationSettings(age, acceptStaleFor, maximumSize);
    }

    /**
     * Other settings, with this greatest age of a copy that answers during an outage of the store.
     *
     * @param age zero, if a stale copy must not accept tokens
     * @return other settings
     */
    public LocalRevocationSettings withAcceptStaleFor(Duration age) {
        return new LocalRevocationSettings(staleAfter, age, maximumSize);
    }

    /**
     * Other settings, with this maximum number of revocations.
     *
     * @param size positive; each revocation takes about seventy bytes
     * @return other settings
     */
    public LocalRevocationSettings withMaximumSize(int size) {
        return new LocalRevocationSettings(staleAfter, acceptStaleFor, size);
    }

    /**
     * The interval for calls of {@link LocalRevocations#refresh}. The copy stays fresh even if a call or two fail.
     *
     * @return a quarter of {@link #staleAfter}
     */
    public Duration refreshInterval() {
        return staleAfter.dividedBy(4);
    }
}
