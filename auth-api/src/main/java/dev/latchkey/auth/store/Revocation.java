package dev.latchkey.auth.store;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * One thing that is revoked, as nodes tell it to each other: a token, or what was issued to a subject before an instant. Times are whole
 * seconds.
 *
 * @param id of the token or the subject
 * @param notBefore the subject's bound ({@link RevocationStore#notBefore}); {@link Instant#MIN} for a token
 * @param until from when on it concerns nothing that anybody accepts, so that it may be forgotten
 */
public record Revocation(IdDigest id, Instant notBefore, Instant until) {

    private static final Instant END_OF_TIME = Instant.MAX.truncatedTo(ChronoUnit.SECONDS);

    /**
     * A revocation as a store or a copy keeps it.
     *
     * @param id of the token or the subject
     * @param notBefore the subject's bound ({@link RevocationStore#notBefore}); {@link Instant#MIN} for a token
     * @param until from when on it concerns nothing that anybody accepts, so that it may be forgotten
     */
    public Revocation {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(notBefore, "notBefore");
        Objects.requireNonNull(until, "until");
    }

    /**
     * That of a token, as {@link RevocationStore#revokeToken} asks for it.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of a login
     * @param expiresAt from when on nobody accepts it anyway; rounded up to whole seconds
     * @return a revocation without a bound
     */
    public static Revocation ofToken(String tokenId, Instant expiresAt) {
        return new Revocation(IdDigest.ofToken(tokenId), Instant.MIN, sum(expiresAt, Duration.ofNanos(-1)));
    }

    /**
     * That of a subject, as {@link RevocationStore#revokeSubject} asks for it.
     *
     * @param subjectId whose tokens they are
     * @param notBefore the bound is the next whole second
     * @param longestLifetime how long a token is accepted at most after it was issued
     * @return a revocation that may be forgotten so long after its bound
     */
    public static Revocation ofSubject(String subjectId, Instant notBefore, Duration longestLifetime) {
        Instant bound = sum(notBefore, Duration.ZERO);
        return new Revocation(IdDigest.ofSubject(subjectId), bound, sum(bound, longestLifetime));
    }

    /** The next whole second after the sum; the last second that there is where that is beyond it. */
    private static Instant sum(Instant time, Duration by) {
        try {
            return time.plus(by).truncatedTo(ChronoUnit.SECONDS).plusSeconds(1);
        } catch (DateTimeException | ArithmeticException e) {
            return END_OF_TIME;
        }
    }
}
