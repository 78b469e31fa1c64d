package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A {@link RevocationStore} for several nodes that can list its new entries. {@link LocalRevocations} keeps a copy of
 * the entries, so the check of a token needs no call to a server. The copy sets a mark in the store: a bound in the
 * year 9999 for a subject that is no account. The name of this subject contains a zero character. {@link IdDigest}
 * converts any id into a key.
 *
 * <p>Each entry has a position. Positions grow, and a repeated entry gets a new position. A node that continues after
 * its last position misses only entries that were recorded concurrently and became visible later. This delay is at most
 * {@value #LATEST_SECONDS} seconds. A call that takes longer fails, and does not have to record its entry.
 *
 * <p>After a failed call, a node reads all entries. If a store rejects a call before the call is sent, such as a call
 * beyond a full queue, the outage has a {@link java.util.concurrent.RejectedExecutionException} as its cause. Such a
 * call says nothing about the entries, and does not count as a failed call.
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
     * @param most the maximum number of results; a shorter list means that there are no further entries
     * @return the entries; the next call continues after the last position. Empty without new entries
     */
    List<Recorded> recordedAfter(long position, int most);

    /**
     * Restores entries that this store has lost, from the copy of a node.
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
     * Records in the store that this node has read until now. Returns the number of vanished traces found so far. A
     * vanished trace means that the store has lost earlier entries. If the number has changed, the node reads all
     * entries and restores the missing entries.
     *
     * <p>A store that never loses acknowledged entries while it answers leaves no traces, and returns zero.
     *
     * @return zero unless overridden
     */
    default long leaveTrace() {
        return 0;
    }

    /**
     * The view of this store for the readings of a copy. Each copy calls this method once. Many concurrent revocations
     * must not delay a reading: without a reading, all token checks end in an outage.
     *
     * @return a store whose calls never wait for calls of this object; this object unless overridden
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
     * {@link StoreTime} creates a view for each call, so a view should cost only one object.
     *
     * @param longest the time for a call; a longer call is an outage
     * @return a view of this store; unless overridden, this store with its own deadline
     */
    @Override
    default SharedRevocationStore within(Duration longest) {
        return this;
    }
}
