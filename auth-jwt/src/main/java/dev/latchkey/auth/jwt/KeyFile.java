package dev.latchkey.auth.jwt;

import dev.latchkey.auth.Secret;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A file with a key, for example from {@code openssl rand -base64 48}.
 *
 * <p>The file uses the alphabet of Base64 or of Base64url (RFC 4648 sections 4 and 5), never both, with or without
 * padding. Several lines must have the same length, a multiple of four. The last line may be shorter, and its line
 * break is optional. For a file of raw bytes, read the bytes and call {@link HmacKey#of(byte[])}.
 */
public final class KeyFile {

    private static final int MAX_BYTES = 4096;

    private KeyFile() {}

    /**
     * Reads a key for other uses than signing tokens, for example a pepper. A key is unusable by the rules of
     * {@link HmacKey}: too short, one repeated byte, a public key, or publicly known.
     *
     * @param file one key in one of the described forms
     * @return the key's bytes
     * @throws IllegalArgumentException if the file has another content or more than 4096 bytes, or the key is unusable
     * @throws IOException if the file cannot be read
     */
    public static Secret read(Path file) throws IOException {
        return read(file, key -> {
            KeyCheck.requireUsable(key, HmacAlgorithm.forKeyLength(key.length));
            return Secret.of(key);
        });
    }

    /** Passes the key's bytes to the function and wipes them afterwards. */
    static <T> T read(Path file, Function<byte[], T> use) throws IOException {
        byte[] key = KeyText.fromLines(textOf(file));
        try {
            return use.apply(key);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /** The whole content in UTF-8. */
    static String secretIn(Path file) throws IOException {
        return textOf(file, StandardCharsets.UTF_8);
    }

    private static String textOf(Path file) throws IOException {
        return textOf(file, StandardCharsets.ISO_8859_1);
    }

    private static String textOf(Path file, Charset charset) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException("A key file has at most " + MAX_BYTES + " bytes: " + file);
        }
        String text = new String(bytes, charset);
        Arrays.fill(bytes, (byte) 0);
        return text;
    }
}
