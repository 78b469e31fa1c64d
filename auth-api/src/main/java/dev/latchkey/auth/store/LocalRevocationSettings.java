package dev.latchkey.auth.store;

import java.time.Duration;

/**
 * Settings for the copy in {@link LocalRevocations}.
 *
 * @param staleAfter the greatest age of a copy that answers alone. A token revoked on another node is accepted for at
 *     most this time
 * @param acceptStaleFor the greatest age of a copy that answers while the store does not; zero, the default, accepts no
 *     token then
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
     * Stale after two seconds, no token accepted from a stale copy, a million revocations.
     *
     * @return the default settings
     */
    public static LocalRevocationSettings defaults() {
        return new LocalRevocationSettings(Duration.ofSeconds(2), Duration.ZERO, 1_000_000);
    }

    /**
     * A copy with this greatest age of a fresh copy.
     *
     * @param age the longest time for which a token revoked on another node is still accepted; positive
     * @return other settings
     */
    public LocalRevocationSettings withStaleAfter(Duration age) {
        return new LocalRevocationSettings(age, acceptStaleFor, maximumSize);
    }

    /**
     * A copy with this greatest age of a copy that answers while the store does not.
     *
     * @param age zero, if a stale copy must not accept tokens
     * @return other settings
     */
    public LocalRevocationSettings withAcceptStaleFor(Duration age) {
        return new LocalRevocationSettings(staleAfter, age, maximumSize);
    }

    /**
     * A copy with this maximum number of revocations.
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
