package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.SecretSetting;
import dev.latchkey.throttle.spring.ThrottleProperties.Shared;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The key shared by all nodes. Shared throttles digest user names and client IPs with this key, so the store contains
 * no plain text.
 */
final class SharedKey {

    private static final String HOW_TO_MAKE_ONE =
            "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key";

    private static final String PROPERTY = "latchkey.guard.shared.secret";

    private static final int MAX_BYTES = 4096;

    private SharedKey() {}

    /**
     * @param reason the need for the key, as the start of a sentence for the operator
     * @throws ThrottleConfigurationException if there is no key, or no key in the file
     */
    static Secret of(Shared shared, String reason) {
        Secret secret = shared.secret();
        if (secret == null) {
            throw new ThrottleConfigurationException(
                    reason + ", and no key is given for the digests of callers and addresses",
                    HOW_TO_MAKE_ONE + ", and set " + PROPERTY + " to file: and its path.");
        }
        Path file;
        try {
            file = SecretSetting.file(secret);
        } catch (IllegalArgumentException e) {
            throw new ThrottleConfigurationException(
                    PROPERTY + " " + e.getMessage(),
                    "Write file: before the path, as in " + PROPERTY + "=file:/run/secrets/limits.key");
        }
        return file == null ? secret : read(file);
    }

    /**
     * The message shows neither the content nor the name of the file: an operator may have written the key in place of
     * the name.
     */
    private static Secret read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MAX_BYTES);
            // The text itself is the key, without decoding of Base64. Each node reads the same text.
            Secret key = Secret.of(new String(text, StandardCharsets.ISO_8859_1).replaceAll("\\s", ""));
            Arrays.fill(text, (byte) 0);
            return key;
        } catch (IOException e) {
            throw new ThrottleConfigurationException(
                    PROPERTY + ": the file cannot be read: " + e.getClass().getName(), HOW_TO_MAKE_ONE);
        }
    }

    /** @param reason the problem with the key, without any part of the key */
    static ThrottleConfigurationException refused(@Nullable String reason) {
        return new ThrottleConfigurationException("latchkey.guard.shared: " + reason, HOW_TO_MAKE_ONE);
    }
}
