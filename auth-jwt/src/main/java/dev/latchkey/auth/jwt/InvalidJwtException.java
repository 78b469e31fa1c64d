package dev.latchkey.auth.jwt;

import java.util.Objects;

/**
 * A token was refused. Thrown only by {@link JwtVerifier#verifyOrThrow}.
 *
 * <p>Has no stack trace: anybody can send bad tokens as often as he likes, and a trace would only show where this library was
 * called. The message is the defect's code; nothing of the token is in it.
 */
public final class InvalidJwtException extends RuntimeException {

    private final JwtDefect defect;

    InvalidJwtException(JwtDefect defect) {
        super(Objects.requireNonNull(defect).code(), null, false, false);
        this.defect = defect;
    }

    /**
     * Why the token was refused.
     *
     * @return the first defect that was found
     */
    public JwtDefect defect() {
        return defect;
    }
}
