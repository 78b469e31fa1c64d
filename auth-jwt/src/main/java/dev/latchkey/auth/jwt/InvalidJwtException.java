package dev.latchkey.auth.jwt;

import java.util.Objects;

/**
 * A token was refused. Thrown only by {@link JwtVerifier#verifyOrThrow}.
 *
 * <p>Has no stack trace: bad tokens arrive as often as somebody cares to send them, and where they come from is not in our
 * code. The message is the defect's code; nothing of the token is in it.
 */
public final class InvalidJwtException extends RuntimeException {

    private final JwtDefect defect;

    InvalidJwtException(JwtDefect defect) {
        super(Objects.requireNonNull(defect).code(), null, false, false);
        this.defect = defect;
    }

    public JwtDefect defect() {
        return defect;
    }
}
