package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.Secret;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;

/**
 * An API key that somebody shows, not yet checked.
 *
 * @param key never printed
 */
public record ApiKeyCredentials(Secret key) implements IssuedCredentials {

    private static final int DIGEST_BYTES = 12;

    /**
     * A key as somebody sent it; nothing of it is checked.
     *
     * @param key never printed
     */
    public ApiKeyCredentials {
        Objects.requireNonNull(key, "key");
    }

    /**
     * This text as a key.
     *
     * @param key as it stood in the field; copied
     * @return credentials of which nothing is checked
     * @throws IllegalArgumentException if it is not well-formed UTF-16
     */
    public static ApiKeyCredentials of(CharSequence key) {
        return new ApiKeyCredentials(Secret.of(key));
    }

    /**
     * What the limits on failed logins count by: 96 bits of the SHA-256 of the whole text. So a place from which a key was right has a budget of its own
     * for it, and who knows the id of a key and not its secret counts for another one. Says nothing of the key, which is random.
     */
    @Override
    public Optional<String> account() {
        return Optional.of("api-key:" + key.withBytes(ApiKeyCredentials::digest));
    }

    private static String digest(byte[] text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return HexFormat.of().formatHex(Arrays.copyOf(digest, DIGEST_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
