package dev.latchkey.auth;

import java.time.Instant;
import java.util.Objects;

/**
 * The credentials prove this subject.
 *
 * @param subject who it is
 * @param validUntil from when on this verdict may no longer be relied upon: a token's {@code exp};
 *     {@link Instant#MAX} where the credentials set no bound of their own
 */
public record Authenticated(Subject subject, Instant validUntil) implements Verdict {

    public Authenticated {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(validUntil, "validUntil");
    }

    /** A success that the credentials themselves do not bound in time. */
    public static Authenticated as(Subject subject) {
        return new Authenticated(subject, Instant.MAX);
    }
}
