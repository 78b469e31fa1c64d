package dev.latchkey.auth;

import java.util.Objects;

/**
 * A token that gives its rights to anybody who presents it (RFC 6750 section 1.2), not yet checked.
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
