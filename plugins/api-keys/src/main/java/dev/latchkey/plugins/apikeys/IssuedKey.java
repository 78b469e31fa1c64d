package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.Secret;
import java.util.Objects;

/**
 * A new key, with the only copy of its text.
 *
 * @param text for its owner; store no copy
 */
public record IssuedKey(ApiKey key, Secret text) implements KeyOutcome {

    /**
     * A key after its issue or rotation.
     *
     * @param text for its owner; store no copy
     * @param key the public values of the key
     */
    public IssuedKey {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(text, "text");
    }
}
