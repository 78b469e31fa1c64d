package dev.latchkey.auth.engine;

import dev.latchkey.auth.Secret;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A secret in a setting: the text itself, or the file with the text, as {@code file:/run/secrets/jwt.key}.
 *
 * <p>A text that begins with {@code file:} always names a file. A text without {@code file:} that looks like a path, or
 * names an existing file, is rejected. Otherwise a long path would become a secret that is easy to guess.
 */
public final class SecretSetting {

    private static final String FILE = "file:";

    /** A path of Unix or Windows. After a slash, a path needs a character outside of Base64: a key may begin with a slash too. */
    private static final Pattern PATH = Pattern.compile("(?s)/.*[^A-Za-z0-9+/=].*|(\\.{1,2}|~|[A-Za-z]:)[/\\\\].*");

    private SecretSetting() {}

    /**
     * The file of a setting.
     *
     * @param setting the text of the setting
     * @return null if the setting is the secret itself
     * @throws IllegalArgumentException if the setting names no file, or is a path without {@code file:}. The message is
     *     the end of a sentence that begins with the property, without the value
     */
    public static @Nullable Path file(Secret setting) {
        String text = setting.withText(CharSequence::toString);
        if (!text.startsWith(FILE)) {
            if (isPath(text)) {
                throw new IllegalArgumentException("is the path of a file, and no secret");
            }
            return null;
        }
        String name = text.substring(FILE.length());
        try {
            if (!name.isBlank()) {
                return Path.of(name.startsWith("///") ? name.substring(2) : name);
            }
        } catch (InvalidPathException e) {
            // The exception below says so, without the value.
        }
        throw new IllegalArgumentException("begins with file: and names no file");
    }

    private static boolean isPath(String text) {
        try {
            return PATH.matcher(text).matches() || (!text.isEmpty() && Files.exists(Path.of(text)));
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
