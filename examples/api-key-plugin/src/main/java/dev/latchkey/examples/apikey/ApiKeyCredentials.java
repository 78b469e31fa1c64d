package dev.latchkey.examples.apikey;

import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.Secret;
import java.util.List;
import java.util.Objects;

/**
 * An API key as the caller sent it, before any check. The key names no account.
 *
 * @param key never printed
 */
public record ApiKeyCredentials(Secret key) implements IssuedCredentials {

    public ApiKeyCredentials {
        Objects.requireNonNull(key, "key");
    }

    /**
     * Credentials with this text as their key.
     *
     * @throws IllegalArgumentException if the text has a lone surrogate
     */
    public static ApiKeyCredentials of(CharSequence key) {
        return new ApiKeyCredentials(Secret.of(key));
    }

    @Override
    public List<Secret> secrets() {
        return List.of(key);
    }
}
