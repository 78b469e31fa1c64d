package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.SecretSetting;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The properties with a secret, or {@code file:} and the path of a secret. Messages contain nothing of the value. */
final class SecretText {

    private static final int MAX_BYTES = 4096;

    private SecretText() {}

    /**
     * @param property names the setting in messages
     * @return null if the setting is the secret itself
     * @throws LatchkeyConfigurationException if the text names no file, or is a path alone
     */
    static @Nullable Path file(String property, Secret setting) {
        try {
            return SecretSetting.file(setting);
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    property + " " + e.getMessage(),
                    "Write file: before the path, as in " + property + "=file:/run/secrets/the.key");
        }
    }

    /**
     * The secret itself, or the text of its file without white space around the text.
     *
     * @param property names the setting in messages
     * @param howToMakeOne the correction of a setting without a readable file
     * @throws LatchkeyConfigurationException if the file cannot be read, or has more than 4096 bytes
     */
    static Secret read(String property, Secret setting, String howToMakeOne) {
        Path file = file(property, setting);
        if (file == null) {
            return setting;
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw LatchkeyConfigurationException.unreadable(property, e, howToMakeOne);
        }
        if (bytes.length > MAX_BYTES) {
            throw new LatchkeyConfigurationException(
                    property + ": the file has more than " + MAX_BYTES + " bytes", howToMakeOne);
        }
        Secret text = Secret.of(new String(bytes, StandardCharsets.UTF_8).strip());
        Arrays.fill(bytes, (byte) 0);
        return text;
    }
}
