package dev.latchkey.auth.password.hash;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Base64 in the alphabets of password hashes: six bits per character, the first bits first, written without padding.
 *
 * <p>{@link java.util.Base64} does not fit: bcrypt and passlib order their alphabets differently. A stored hash is also
 * not trusted. Characters outside the alphabet are rejected, and a bad text is {@code null}, not an exception. Unused
 * bits in the last character are ignored, as in the tools that wrote these hashes. Immutable.
 */
public final class Base64Alphabet {
    /** The alphabet of RFC 4648 section 4, used in PHC strings. */
    public static final Base64Alphabet STANDARD =
            new Base64Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");

    /** The alphabet of passlib, with a dot instead of the plus. */
    public static final Base64Alphabet DOTTED =
            new Base64Alphabet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./");

    /** The alphabet of bcrypt. */
    static final Base64Alphabet BCRYPT =
            new Base64Alphabet("./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");

    private static final int NOT_IN_ALPHABET = -1;

    private final String characters;
    private final int[] values = new int[128];

    private Base64Alphabet(String characters) {
        this.characters = characters;
        Arrays.fill(values, NOT_IN_ALPHABET);
        for (int i = 0; i < characters.length(); i++) {
            values[characters.charAt(i)] = i;
        }
    }

    /**
     * Decodes a text. Never throws.
     *
     * @param text with or without padding
     * @return null if the text has other characters or an impossible length
     */
    public byte @Nullable [] decode(String text) {
        int end = text.length();
        while (end > 0 && text.length() - end < 2 && text.charAt(end - 1) == '=') {
            end--;
        }
        // A single character in the last group contains no whole byte.
        if (end % 4 == 1) {
            return null;
        }
        byte[] bytes = new byte[end * 6 / 8];
        int bits = 0;
        int held = 0;
        int written = 0;
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            int value = c < values.length ? values[c] : NOT_IN_ALPHABET;
            if (value == NOT_IN_ALPHABET) {
                return null;
            }
            bits = (bits << 6) | value;
            held += 6;
            if (held >= 8) {
                held -= 8;
                bytes[written++] = (byte) (bits >> held);
            }
        }
        return bytes;
    }

    /**
     * Encodes bytes.
     *
     * @param bytes any number
     * @return a text without padding
     */
    public String encode(byte[] bytes) {
        StringBuilder text = new StringBuilder((bytes.length * 8 + 5) / 6);
        int bits = 0;
        int held = 0;
        for (byte b : bytes) {
            bits = (bits << 8) | (b & 0xff);
            held += 8;
            while (held >= 6) {
                held -= 6;
                text.append(characters.charAt((bits >> held) & 0x3f));
            }
        }
        if (held > 0) {
            text.append(characters.charAt((bits << (6 - held)) & 0x3f));
        }
        return text.toString();
    }
}
