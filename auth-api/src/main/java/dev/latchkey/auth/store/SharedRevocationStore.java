package dev.latchkey.auth.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A {@link RevocationStore} that several nodes share, and whose new entries can be read. So {@link LocalRevocations} can keep a copy, and checking a
 * token asks no server. The copy sets a mark: the bound, in the year 9999, of a subject that no account has, and whose name has a character of zero. {@link
 * IdDigest} makes a key of any id.
 *
 * <p>What is recorded has a position. Positions grow, and what is recorded once more gets a new one, so a node that reads on from its last position
 * misses only what was recorded at the same time and became visible later. No call takes so long that this lasts more than {@value #LATEST_SECONDS}
 * seconds: later than that it fails, and need not have been recorded.
 */
public interface SharedRevocationStore extends RevocationStore {

    /** For how long at most a position that is lower than one that was read may become visible. */
    int LATEST_SECONDS = 10;

    /**
     * A revocation and its position.
     *
     * @param position grows with each that is recorded
     */
    record Recorded(long position, Revocation revocation) {}

    /**
     * Does what {@link #revokeToken} says; what was recorded for it.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of a login
     * @param expiresAt from when on nobody accepts it anyway
     * @return what a copy is to keep, so that this node refuses the token at once
     */
    Revocation recordToken(String tokenId, Instant expiresAt);

    /**
     * Does what {@link #revokeTokenOf} says; what was recorded for it, be it the subject's bound.
     *
     * @param subjectId whose token it is
     * @param tokenId the token's {@code jti}, or the {@code sid} of a login
     * @param expiresAt from when on nobody accepts it anyway
     * @return what a copy is to keep, so that this node refuses the token at once
     */
    Revocation recordTokenOf(String subjectId, String tokenId, Instant expiresAt);

    /**
     * Does what {@link #revokeSubject} says; what was recorded for it.
     *
     * @param subjectId whose tokens they are
     * @param notBefore the bound, before it is rounded up to whole seconds
     * @return what a copy is to keep, so that this node refuses them at once
     */
    Revocation recordSubject(String subjectId, Instant notBefore);

    /**
     * What is recorded beyond this position, in the order of positions.
     *
     * @param position zero is before the first
     * @param most how many of them at most; if there are fewer, these are all
     * @return in the order of positions, from which the next call reads on; empty where there is nothing new
     */
    List<Recorded> recordedAfter(long position, int most);

    /**
     * Records what a node knows and this store has lost.
     *
     * @param lost revocations as they were recorded once; those that are there already do no harm
     */
    void restore(List<Revocation> lost);

    /**
     * For how long at most a position that is lower than one that was read may become visible; zero where positions are seen in their order. No longer than
     * {@value #LATEST_SECONDS} seconds.
     *
     * @return zero unless overridden
     */
    default Duration lateness() {
        return Duration.ofSeconds(LATEST_SECONDS);
    }

    /**
     * Notes in the store that this node has read until now, and says how often such a trace was found to be gone: then the store has lost what
     * was recorded before it. Whoever gets another number than the last time reads all there is, and gives back what is missing.
     *
     * <p>A store that does not lose what it has acknowledged while it goes on answering leaves no traces, and says zero.
     *
     * @return zero unless overridden
     */
    default long leaveTrace() {
        return 0;
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
     * This store, each of whose calls takes no longer than that, and no longer than its own deadline. {@link StoreTime} asks for one at each call, so it
     * should cost an object and nothing else.
     *
     * @param longest how long a call may take; later than that it is an outage
     * @return a view of this store; this store itself unless overridden, which keeps its own deadline
     */
    @Override
    default SharedRevocationStore within(Duration longest) {
        return this;
    }
}
