package dev.latchkey.auth;

import java.util.Objects;

/**
 * A bearer token (RFC 6750 section 1.2), which has not been checked.
 *
 * @param token never printed
 */
public record BearerToken(Secret token) implements IssuedCredentials {

    /**
     * A token as somebody sent it; nothing of it is checked.
     *
     * @param token never printed
     */
    public BearerToken {
        Objects.requireNonNull(token, "token");
    }

    /**
     * A token of this text, which is copied.
     *
     * @param token as it stood behind {@code Bearer}
     * @return credentials of which nothing is checked
     */
    public static BearerToken of(CharSequence token) {
        return new BearerToken(Secret.of(token));
    }
}
