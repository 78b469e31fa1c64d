package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.Secret;
import java.util.Objects;

/**
 * A new key: the one time that its text is there.
 *
 * @param text to be shown to its owner, and kept nowhere
 */
public record IssuedKey(ApiKey key, Secret text) implements KeyOutcome {

    /**
     * A key that was just issued or rotated.
     *
     * @param text to be shown to its owner, and kept nowhere
     * @param key what is known of it from now on
     */
    public IssuedKey {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(text, "text");
    }
}
