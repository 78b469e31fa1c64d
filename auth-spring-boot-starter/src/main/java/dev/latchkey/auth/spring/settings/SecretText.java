package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.Secret;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A secret in a setting: the text itself, or the file that holds the text, as {@code file:/run/secrets/jwt.key}. A colon is in no Base64, and a text that
 * begins with {@code file:} is always the name of a file.
 */
final class SecretText {

    private static final String FILE = "file:";

    private SecretText() {}

    /**
     * @param property names the setting in messages, which tell nothing of the value
     * @return null if the setting is the secret itself
     * @throws LatchkeyConfigurationException if the text names no file, or is a path alone
     */
    static @Nullable Path file(String property, Secret setting) {
        String text = setting.withText(secret -> beginsWithFile(secret) ? secret.toString() : "");
        if (text.isEmpty()) {
            requireNoPath(property, setting);
            return null;
        }
        String name = text.substring(FILE.length());
        try {
            if (!name.isBlank()) {
                return Path.of(name.startsWith("///") ? name.substring(2) : name);
            }
        } catch (InvalidPathException e) {
            // Said below, without the value.
        }
        throw new LatchkeyConfigurationException(
                property + " begins with file: and names no file", "Write it as file:/run/secrets/the.key");
    }

    /** A long path would be taken for a secret, and anyone can guess the path. */
    private static void requireNoPath(String property, Secret setting) {
        if (setting.withText(SecretText::isPathOfAFile)) {
            throw new LatchkeyConfigurationException(
                    property + " is the path of a file, and no secret", "Write file: before the path.");
        }
    }

    private static boolean isPathOfAFile(CharSequence text) {
        try {
            return !text.isEmpty() && text.charAt(0) == '/' && Files.exists(Path.of(text.toString()));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean beginsWithFile(CharSequence text) {
        return text.length() >= FILE.length() && FILE.contentEquals(text.subSequence(0, FILE.length()));
    }
}
