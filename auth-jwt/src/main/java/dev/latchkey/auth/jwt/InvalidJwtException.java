package dev.latchkey.auth.jwt;

import java.util.Objects;

/**
 * A token was rejected. Thrown only by {@link JwtVerifier#verifyOrThrow}.
 *
 * <p>The exception has no stack trace: any caller can send many bad tokens, and a trace would only show the call of
 * this library. The message is the defect's code and contains nothing of the token.
 */
public final class InvalidJwtException extends RuntimeException {

    private final JwtDefect defect;

    InvalidJwtException(JwtDefect defect) {
        super(Objects.requireNonNull(defect).code(), null, false, false);
        this.defect = defect;
    }

    /**
     * The reason for the rejection.
     *
     * @return the first defect found
     */
    public JwtDefect defect() {
        return defect;
    }
}
