package dev.latchkey.auth.jwt;

import java.util.Arrays;

/**
 * Key bytes as text. Each encoding has one accepted form. Some texts are valid in two encodings, so nothing is guessed,
 * skipped or repaired.
 */
final class KeyText {

    private static final String FILE_RULE =
            "A-Z, a-z, 0-9 and either + and / or - and _, in lines of one length, nothing else";

    private KeyText() {}

    /** RFC 4648 section 4, with padding. */
    static byte[] fromBase64(CharSequence text) {
        if (text.length() % 4 != 0) {
            throw notIn("Base64", "with its padding, a multiple of four characters");
        }
        byte[] url = new byte[lengthWithoutPadding(text)];
        for (int i = 0; i < url.length; i++) {
            url[i] = urlCharacter(text.charAt(i));
        }
        return decoded(url, "Base64", "A-Z, a-z, 0-9, + and /, with padding, no line breaks");
    }

    /**
     * Base64 or Base64url from a file, in lines of equal length, with or without padding. Equal lengths show that no
     * part between lines is missing. A text with the characters of both alphabets, or with other white space, is
     * rejected.
     */
    static byte[] fromLines(String text) {
        String joined = joined(text);
        boolean isUrl = joined.indexOf('-') >= 0 || joined.indexOf('_') >= 0;
        byte[] url = new byte[lengthWithoutPadding(joined)];
        for (int i = 0; i < url.length; i++) {
            char c = joined.charAt(i);
            url[i] = isUrl ? ascii(c) : urlCharacter(c);
        }
        return decoded(url, "Base64 or Base64url", FILE_RULE);
    }

    /** Padding completes a group of four, with at most two characters. */
    private static int lengthWithoutPadding(CharSequence text) {
        int end = text.length();
        int least = end % 4 == 0 ? Math.max(0, end - 2) : end;
        while (end > least && text.charAt(end - 1) == '=') {
            end--;
        }
        return end;
    }

    /** Joins the lines. All lines except the last have the same length, in groups of four. */
    private static String joined(String text) {
        String[] lines = text.split("\r?\n", -1);
        int last = lines[lines.length - 1].isEmpty() ? lines.length - 2 : lines.length - 1;
        int length = lines[0].length();
        StringBuilder joined = new StringBuilder(text.length());
        for (int i = 0; i <= last; i++) {
            boolean fits = i == last
                    ? lines[i].length() <= length && !lines[i].isEmpty()
                    : lines[i].length() == length && length % 4 == 0;
            if (!fits) {
                throw notIn("Base64 or Base64url", FILE_RULE);
            }
            joined.append(lines[i]);
        }
        return joined.toString();
    }

    /** RFC 4648 section 5, without padding, as in RFC 7515. */
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

    /** The Base64url character for this Base64 character. */
    private static byte urlCharacter(char c) {
        return switch (c) {
            case '+' -> '-';
            case '/' -> '_';
            case '-', '_' -> 0;
            default -> ascii(c);
        };
    }

    /**
     * Zero, which no encoding here uses, for characters outside ASCII: cut to a byte, such a character could become
     * legal.
     */
    private static byte ascii(char c) {
        return c < 0x80 ? (byte) c : 0;
    }

    /** {@code Character.digit} alone would accept the digits of every script. */
    private static int hexDigit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static IllegalArgumentException notIn(String encoding, String rule) {
        return new IllegalArgumentException("The key is not " + encoding + ": it must be " + rule);
    }
}
