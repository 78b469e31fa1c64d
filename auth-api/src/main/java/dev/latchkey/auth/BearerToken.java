package dev.latchkey.auth;

import java.util.List;
import java.util.Objects;

/**
 * An unchecked bearer token (RFC 6750 section 1.2).
 *
 * @param token never printed
 */
public record BearerToken(Secret token) implements IssuedCredentials {

    /**
     * An unchecked token from a request.
     *
     * @param token never printed
     */
    public BearerToken {
        Objects.requireNonNull(token, "token");
    }

    /**
     * A token with a copy of this text.
     *
     * @param token the text after {@code Bearer}
     * @return unchecked credentials
     */
    public static BearerToken of(CharSequence token) {
        return new BearerToken(Secret.of(token));
    }

    @Override
    public List<Secret> secrets() {
        return List.of(token);
    }
}
