package dev.latchkey.auth.engine;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A file with a plugin's key of 32 bytes: 64 hexadecimal digits, the output of {@code openssl rand -hex 32}. */
public final class HexKeyFile {

    /** The length of each key. */
    public static final int KEY_BYTES = 32;

    /** Without a path after the command: the file may hold a damaged key, or another key, and must not be overwritten. */
    private static final String REPAIR =
            "If it once held this key, restore it from a backup: a new key makes what is stored"
                    + " unusable. Otherwise name another file; openssl rand -hex 32 prints a key";

    private HexKeyFile() {}

    /**
     * The present key in the file.
     *
     * @param file with the digits, and white space at most
     * @return the caller wipes the key after use
     * @throws PluginConfigException if the file cannot be read or contains no such key; the message names the file
     */
    public static Secret read(Path file) {
        return readNamed("", file);
    }

    /**
     * The present key in the file of a property.
     *
     * @param property the full name, for messages
     * @param file with the digits, and white space at most; null if the property has an empty entry
     * @return the caller wipes the key after use
     * @throws PluginConfigException if there is no file, or the file cannot be read or contains no such key; the message
     *     names the property and the file
     */
    public static Secret read(String property, @Nullable Path file) {
        if (file == null) {
            throw new PluginConfigException(property + " has an empty entry: remove the entry, or the comma beside it");
        }
        return readNamed(property + ": ", file);
    }

    private static Secret readNamed(String name, Path file) {
        String start = name + "The key file " + file;
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (NoSuchFileException e) {
            throw new PluginConfigException(start + " does not exist. Restore a lost key from a backup,"
                    + " and make a first one with: openssl rand -hex 32 > " + file);
        } catch (IOException e) {
            // Without the cause: its message may contain bytes of the file.
            throw new PluginConfigException(
                    start + " cannot be read as text (" + e.getClass().getSimpleName() + "). " + REPAIR);
        }
        if (text.length() != 2 * KEY_BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new PluginConfigException(start + " must hold 64 hexadecimal digits and nothing else. " + REPAIR);
        }
        if (text.chars().distinct().count() == 1) {
            throw new PluginConfigException(start + " has one digit 64 times, which is no random key. " + REPAIR);
        }
        return Secret.of(HexFormat.of().parseHex(text));
    }
}
