package dev.latchkey.auth.engine;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.factory.PluginConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** A file with a plugin's key of 32 bytes: 64 hexadecimal digits, the output of {@code openssl rand -hex 32}. */
public final class HexKeyFile {

    /** The length of each key. */
    public static final int KEY_BYTES = 32;

    private HexKeyFile() {}

    /**
     * The present key in the file.
     *
     * @param file with the digits, and white space at most
     * @return the caller wipes the key after use
     * @throws PluginConfigException if the file cannot be read or contains no such key; the message names the file
     */
    public static Secret read(Path file) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            // Without the cause: its message may contain bytes of the file.
            throw new PluginConfigException("The key file " + file + " cannot be read as text ("
                    + e.getClass().getSimpleName() + "); make one with: openssl rand -hex 32 > " + file);
        }
        if (text.length() != 2 * KEY_BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new PluginConfigException(
                    "The key file " + file + " must hold 64 hexadecimal digits and nothing else;"
                            + " make one with: openssl rand -hex 32 > " + file);
        }
        return Secret.of(HexFormat.of().parseHex(text));
    }
}
