package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Secret;
import dev.latchkey.throttle.spring.ThrottleProperties.Shared;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The key that all nodes have. Shared throttles digest callers and client IPs with it, so that the store holds none in plain text. */
final class SharedKey {

    private static final String HOW_TO_MAKE_ONE =
            "Make one for all nodes with: openssl rand -base64 32 > limits.key; chmod 600 limits.key";

    private static final int MAX_BYTES = 4096;

    private SharedKey() {}

    /**
     * @param reason what needs the key, as the beginning of a sentence for the operator
     * @throws ThrottleConfigurationException if there is no key, more than one, or the file holds none
     */
    static Secret of(Shared shared, String reason) {
        Secret secret = shared.secret();
        Path file = shared.secretFile();
        if ((secret == null) == (file == null)) {
            throw new ThrottleConfigurationException(
                    reason + ", and " + (secret == null ? "no" : "more than one")
                            + " key is given for the digests of callers and addresses",
                    HOW_TO_MAKE_ONE + ", and set latchkey.guard.shared.secret-file to it.");
        }
        return secret != null ? secret : read(Objects.requireNonNull(file));
    }

    /** Neither the content nor the name of the file is told: the key itself may have been written in place of the name. */
    private static Secret read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] text = in.readNBytes(MAX_BYTES);
            // As text: a key in Base64 need not be decoded to be a key, and each node reads the same.
            Secret key = Secret.of(new String(text, StandardCharsets.ISO_8859_1).replaceAll("\\s", ""));
            Arrays.fill(text, (byte) 0);
            return key;
        } catch (IOException e) {
            throw new ThrottleConfigurationException(
                    "latchkey.guard.shared.secret-file: the file cannot be read: "
                            + e.getClass().getName(),
                    HOW_TO_MAKE_ONE);
        }
    }

    /** @param reason what is wrong with the key; holds nothing of it */
    static ThrottleConfigurationException refused(@Nullable String reason) {
        return new ThrottleConfigurationException("latchkey.guard.shared: " + reason, HOW_TO_MAKE_ONE);
    }
}
