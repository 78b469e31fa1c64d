package dev.latchkey.auth.store;

import java.time.Duration;

/**
 * How {@link LocalRevocations} keep their copy.
 *
 * @param staleAfter how old the copy may be and still answer alone; a token that was revoked on another node is accepted for this long at most
 * @param acceptStaleFor how old the copy may be and still answer while the store does not; zero, the default, accepts nothing then
 * @param maximumSize how many revocations it holds; where there are more, each question goes to the store
 */
public record LocalRevocationSettings(Duration staleAfter, Duration acceptStaleFor, int maximumSize) {

    /**
     * @param staleAfter how old the copy may be and still answer alone: so long at most a token is good on one node that was revoked on another
     * @param acceptStaleFor how old the copy may be and still answer where the store does not; zero, which is the default, says that nothing is
     *     accepted then
     * @param maximumSize how many revocations it holds; where there are more, each question goes to the store
     * @throws IllegalArgumentException if a copy could never be fresh, a duration is negative, or there is no room
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
     * Stale after two seconds, nothing accepted from a stale copy, a million revocations.
     *
     * @return settings as a service has that says nothing
     */
    public static LocalRevocationSettings defaults() {
        return new LocalRevocationSettings(Duration.ofSeconds(2), Duration.ZERO, 1_000_000);
    }

    /**
     * These, with a copy that is stale after so long.
     *
     * @param age so long at most a token is good on one node that was revoked on another; positive
     * @return others; these stay as they are
     */
    public LocalRevocationSettings withStaleAfter(Duration age) {
        return new LocalRevocationSettings(age, acceptStaleFor, maximumSize);
    }

    /**
     * These, with a copy that still answers at this age where the store does not.
     *
     * @param age zero, where nothing is to be accepted from a stale copy
     * @return others; these stay as they are
     */
    public LocalRevocationSettings withAcceptStaleFor(Duration age) {
        return new LocalRevocationSettings(staleAfter, age, maximumSize);
    }

    /**
     * These, with a copy of so many revocations.
     *
     * @param size positive; each takes some seventy bytes
     * @return others; these stay as they are
     */
    public LocalRevocationSettings withMaximumSize(int size) {
        return new LocalRevocationSettings(staleAfter, acceptStaleFor, size);
    }

    /**
     * How often {@link LocalRevocations#refresh} is to be called, so that a lost call or two leave the copy fresh.
     *
     * @return a quarter of the age at which the copy is stale
     */
    public Duration refreshInterval() {
        return staleAfter.dividedBy(4);
    }
}
