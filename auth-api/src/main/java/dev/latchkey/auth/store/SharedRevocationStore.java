package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A {@link RevocationStore} for several nodes that can list its new entries. So {@link LocalRevocations} can keep a
 * copy, and the check of a token needs no server. The copy sets a mark: the bound, in the year 9999, of a subject that
 * is no account; its name contains a zero character. {@link IdDigest} converts any id into a key.
 *
 * <p>Each entry has a position. Positions grow, and a repeated entry gets a new position. A node that reads on from its
 * last position misses only entries that were recorded concurrently and became visible later. This delay lasts at most
 * {@value #LATEST_SECONDS} seconds: a longer call fails, and need not have recorded its entry.
 */
public interface SharedRevocationStore extends RevocationStore {

    /** The longest time until a position becomes visible after a higher position was read. */
    int LATEST_SECONDS = 10;

    /**
     * A revocation and its position.
     *
     * @param position grows with each recorded revocation
     */
    record Recorded(long position, Revocation revocation) {}

    /**
     * Does the work of {@link #revokeToken}, and returns the entry.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of a session
     * @param expiresAt as for {@link #revokeToken}
     * @return the entry for the copy, so this node rejects the token immediately
     */
    Revocation recordToken(String tokenId, Instant expiresAt);

    /**
     * Does the work of {@link #revokeTokenOf}, and returns the entry, possibly the subject's bound.
     *
     * @param subjectId the subject of the token
     * @param tokenId the token's {@code jti}, or the {@code sid} of a session
     * @param expiresAt as for {@link #revokeToken}
     * @return the entry for the copy, so this node rejects the token immediately
     */
    Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt);

    /**
     * Does the work of {@link #revokeSubject}, and returns the entry.
     *
     * @param subjectId the subject of the tokens
     * @param notBefore the bound, before rounding up to whole seconds
     * @return the entry for the copy, so this node rejects the tokens immediately
     */
    Revocation recordSubject(String subjectId, Instant notBefore);

    /**
     * The entries after this position, in the order of positions.
     *
     * @param position zero is before the first entry
     * @param most the greatest number of results; fewer results are all entries
     * @return the next call reads on from the last position; empty without new entries
     */
    List<Recorded> recordedAfter(long position, int most);

    /**
     * Records entries of a node that this store has lost.
     *
     * @param lost former entries of the store; existing entries do no harm
     */
    void restore(List<Revocation> lost);

    /**
     * The longest time until a position becomes visible after a higher position was read, at most
     * {@value #LATEST_SECONDS} seconds. Zero if positions become visible in order.
     *
     * @return {@value #LATEST_SECONDS} seconds unless overridden
     */
    default Duration lateness() {
        return Duration.ofSeconds(LATEST_SECONDS);
    }

    /**
     * Records in the store that this node has read until now, and returns the number of vanished traces found so far. A
     * vanished trace means that the store has lost earlier entries. A node with a new number reads all entries and
     * restores the missing ones.
     *
     * <p>A store that never loses acknowledged entries while it answers leaves no traces, and returns zero.
     *
     * @return zero unless overridden
     */
    default long leaveTrace() {
        return 0;
    }

    /**
     * This store for the reading of a copy, once for each copy. Many revocations at a time must not keep the copy from its
     * reading: without a reading, all token checks end in an outage.
     *
     * @return a store whose calls wait for no call of this object; unless overridden, this object
     */
    default SharedRevocationStore forReading() {
        return this;
    }

    @Override
    default void revokeToken(String tokenId, Instant expiresAt) {
        Revocation unused = recordToken(tokenId, expiresAt);
    }

    @Override
    default void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
        Revocation unused = recordTokenOf(subjectId, tokenId, expiresAt);
    }

    @Override
    default void revokeSubject(String subjectId, Instant notBefore) {
        Revocation unused = recordSubject(subjectId, notBefore);
    }

    /**
     * A view of this store in which each call takes at most the given time, and at most the store's own deadline.
     * {@link StoreTime} creates a view for each call, so a view should cost an object and nothing else.
     *
     * @param longest the time for a call; a longer call is an outage
     * @return a view of this store; unless overridden, this store with its own deadline
     */
    @Override
    default SharedRevocationStore within(Duration longest) {
        return this;
    }
}
