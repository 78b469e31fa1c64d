package dev.latchkey.examples.apikey;

import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.Secret;
import java.util.Objects;

/**
 * An API key as a caller presented it, not yet checked. It names no account.
 *
 * @param key never printed
 */
public record ApiKeyCredentials(Secret key) implements IssuedCredentials {

    public ApiKeyCredentials {
        Objects.requireNonNull(key, "key");
    }

    /**
     * The key that this text is.
     *
     * @throws IllegalArgumentException if the text has a lone surrogate
     */
    public static ApiKeyCredentials of(CharSequence key) {
        return new ApiKeyCredentials(Secret.of(key));
    }
}
