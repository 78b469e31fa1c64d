package dev.latchkey.auth;

import java.util.Objects;

/**
 * A bearer token (RFC 6750 section 1.2), which has not been checked.
 *
 * @param token never printed
 */
public record BearerToken(Secret token) implements Credentials {

    public BearerToken {
        Objects.requireNonNull(token, "token");
    }

    public static BearerToken of(CharSequence token) {
        return new BearerToken(Secret.of(token));
    }
}
