package dev.latchkey.auth.jwt;

import java.util.Arrays;

/**
 * Key bytes written as text, each encoding in the one form that it has: a text that two encodings share must be read by the
 * one that was meant, so nothing is guessed, skipped or repaired.
 */
final class KeyText {

    private KeyText() {}

    /** RFC 4648 section 4, with its padding. */
    static byte[] fromBase64(CharSequence text) {
        if (text.length() % 4 != 0) {
            throw notIn("Base64", "with its padding, a multiple of four characters");
        }
        int end = text.length();
        while (end > text.length() - 2 && end > 0 && text.charAt(end - 1) == '=') {
            end--;
        }
        byte[] url = new byte[end];
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            url[i] = c == '+' ? (byte) '-' : c == '/' ? (byte) '_' : c == '-' || c == '_' ? 0 : ascii(c);
        }
        return decoded(url, "Base64", "A-Z, a-z, 0-9, + and /, with padding, no line breaks");
    }

    /** RFC 4648 section 5, without padding, as RFC 7515 writes keys. */
    static byte[] fromBase64Url(CharSequence text) {
        byte[] url = new byte[text.length()];
        for (int i = 0; i < url.length; i++) {
            url[i] = ascii(text.charAt(i));
        }
        return decoded(url, "Base64url", "A-Z, a-z, 0-9, - and _, without padding, no line breaks");
    }

    /** Two digits a byte, in either case. */
    static byte[] fromHex(CharSequence text) {
        if (text.length() % 2 != 0) {
            throw notIn("hex", "two digits for each byte");
        }
        byte[] key = new byte[text.length() / 2];
        for (int i = 0; i < key.length; i++) {
            int high = hexDigit(text.charAt(2 * i));
            int low = hexDigit(text.charAt(2 * i + 1));
            if ((high | low) < 0) {
                Arrays.fill(key, (byte) 0);
                throw notIn("hex", "0-9, a-f and A-F, nothing between the digits");
            }
            key[i] = (byte) (high << 4 | low);
        }
        return key;
    }

    private static byte[] decoded(byte[] url, String encoding, String rule) {
        byte[] key = new byte[Base64Url.decodedLength(url.length)];
        int length = Base64Url.decode(url, 0, url.length, key);
        Arrays.fill(url, (byte) 0);
        if (length == Base64Url.NOT_BASE64URL) {
            Arrays.fill(key, (byte) 0);
            throw notIn(encoding, rule);
        }
        return key;
    }

    /** Zero, which no encoding here uses, for what is not ASCII: cut to a byte it could become a legal character. */
    private static byte ascii(char c) {
        return c < 0x80 ? (byte) c : 0;
    }

    /** {@code Character.digit} would take the digits of every script. */
    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static IllegalArgumentException notIn(String encoding, String rule) {
        return new IllegalArgumentException("The key is not " + encoding + ": it must be " + rule);
    }
}
