package dev.latchkey.auth.store;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * A revocation, in the form for the exchange between nodes: of a token, or of all tokens issued to a subject before an
 * instant. Times are whole seconds.
 *
 * @param id of the token or the subject
 * @param notBefore the subject's bound ({@link RevocationStore#notBefore}); {@link Instant#MIN} for a token
 * @param until the instant after which the entry may be removed, because all its tokens have expired
 */
public record Revocation(IdDigest id, Instant notBefore, Instant until) {

    private static final Instant END_OF_TIME = Instant.MAX.truncatedTo(ChronoUnit.SECONDS);

    /**
     * A revocation in a store or a copy.
     *
     * @param id of the token or the subject
     * @param notBefore the subject's bound; {@link Instant#MIN} for a token
     * @param until the instant after which the entry may be removed
     */
    public Revocation {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(notBefore, "notBefore");
        Objects.requireNonNull(until, "until");
    }

    /**
     * The revocation of a token, see {@link RevocationStore#revokeToken}.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of a session
     * @param expiresAt the end of the token; rounded up to whole seconds
     * @return a revocation without a bound
     */
    public static Revocation ofToken(String tokenId, Instant expiresAt) {
        return new Revocation(IdDigest.ofToken(tokenId), Instant.MIN, sum(expiresAt, Duration.ofNanos(-1)));
    }

    /**
     * The revocation of a subject, see {@link RevocationStore#revokeSubject}.
     *
     * @param subjectId the subject of the tokens
     * @param notBefore the bound is the next whole second
     * @param longestLifetime the longest lifetime of an accepted token
     * @return may be removed when this lifetime has passed after the bound
     */
    public static Revocation ofSubject(String subjectId, Instant notBefore, Duration longestLifetime) {
        Instant bound = sum(notBefore, Duration.ZERO);
        return new Revocation(IdDigest.ofSubject(subjectId), bound, sum(bound, longestLifetime));
    }

    /** The next whole second after the sum, at most the last possible second. */
    private static Instant sum(Instant time, Duration by) {
        try {
            return time.plus(by).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        } catch (DateTimeException | ArithmeticException e) {
            return END_OF_TIME;
        }
    }
}
