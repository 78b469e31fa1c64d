package dev.latchkey.auth.jwt;

import dev.latchkey.auth.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A file that holds a key, as {@code openssl rand -base64 48} or {@code password-tool secret 48} write it.
 *
 * <p>It is in the alphabet of Base64 or in that of Base64url (RFC 4648 sections 4 and 5), never in both, with its padding or without,
 * and in one line or several of one length that is a multiple of four. The last line may be shorter, and may end or not. A file of
 * raw bytes is read by the caller and given to {@link HmacKey#of(byte[])}.
 */
public final class KeyFile {

    private static final int MAX_BYTES = 4096;

    private KeyFile() {}

    /**
     * The key in this file, for other uses than signing tokens: a pepper, say. It is refused where {@link HmacKey#ofFile} refuses it: too
     * short, of one byte repeated, or known to everybody.
     *
     * @param file of one key in one line, in one of the forms that this class describes
     * @return the key's bytes
     * @throws IllegalArgumentException if the file holds anything else or more than 4096 bytes, or the key is refused
     * @throws IOException if the file cannot be read
     */
    public static Secret read(Path file) throws IOException {
        return read(file, key -> {
            KeyCheck.requireUsable(key, HmacAlgorithm.forKeyLength(key.length));
            return Secret.of(key);
        });
    }

    /** What this makes of the bytes of the key, which are wiped afterwards. */
    static <T> T read(Path file, Function<byte[], T> use) throws IOException {
        byte[] key = KeyText.fromLines(textOf(file));
        try {
            return use.apply(key);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    private static String textOf(Path file) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("A key file has at most " + MAX_BYTES + " bytes: " + file);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        Arrays.fill(bytes, (byte) 0);
        return text;
    }
}
