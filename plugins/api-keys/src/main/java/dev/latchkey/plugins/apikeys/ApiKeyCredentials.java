package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An unchecked API key from a request.
 *
 * @param key never printed
 */
public record ApiKeyCredentials(Secret key) implements IssuedCredentials {

    private static final int DIGEST_BYTES = 12;

    /**
     * An unchecked API key from a request.
     *
     * @param key never printed
     */
    public ApiKeyCredentials {
        Objects.requireNonNull(key, "key");
    }

    /**
     * This text as a key.
     *
     * @param key the text of the header field; copied
     * @return unchecked credentials
     * @throws IllegalArgumentException if the text is not well-formed UTF-16
     */
    public static ApiKeyCredentials of(CharSequence key) {
        return new ApiKeyCredentials(Secret.of(key));
    }

    /**
     * The account name for the limits of failed logins: 96 bits of the SHA-256 of the whole text. So a client IP with a
     * right key has its own budget for this key. An attacker with the id of a key, but without the secret, uses another
     * budget. The digest reveals nothing about the random key.
     */
    @Override
    public Optional<String> account() {
        return Optional.of("api-key:" + key.withBytes(ApiKeyCredentials::digest));
    }

    @Override
    public List<Secret> secrets() {
        return List.of(key);
    }

    private static String digest(byte[] text) {
        return HexFormat.of().formatHex(Sha256.of(text), 0, DIGEST_BYTES);
    }
}
