package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The content of JSON strings: escapes (RFC 8259 section 7) and UTF-8 (RFC 3629 section 4). */
final class JsonText {

    private static final int HEX_DIGITS = 4;

    private JsonText() {}

    /**
     * @throws IllegalArgumentException if the text has a lone surrogate: UTF-8 and strict JSON cannot express a lone
     *     surrogate
     */
    static void requireWellFormed(String text, String name) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw new IllegalArgumentException(name + " must be well-formed UTF-16; it has a lone surrogate");
                }
                i++;
            }
        }
    }

    /**
     * The place after the escape that starts here, or {@link JsonPosition#DEFECT}. A surrogate is legal only as half of
     * a pair.
     */
    static int escape(byte[] json, int at, int end) {
        if (at + 1 >= end) {
            return JsonPosition.DEFECT;
        }
        return switch (json[at + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
            case 'u' -> unicodeEscape(json, at, end);
            default -> JsonPosition.DEFECT;
        };
    }

    private static int unicodeEscape(byte[] json, int at, int end) {
        int after = at + 2 + HEX_DIGITS;
        int unit = codeUnit(json, at, end);
        if (unit < 0 || Character.isLowSurrogate((char) unit)) {
            return JsonPosition.DEFECT;
        }
        if (!Character.isHighSurrogate((char) unit)) {
            return after;
        }
        int second = codeUnit(json, after, end);
        boolean paired = second >= 0 && Character.isLowSurrogate((char) second);
        return paired ? after + 2 + HEX_DIGITS : JsonPosition.DEFECT;
    }

    /** The value of the escape of six characters at this place; negative if there is none. */
    private static int codeUnit(byte[] json, int at, int end) {
        if (at + 2 + HEX_DIGITS > end || json[at] != '\\' || json[at + 1] != 'u') {
            return JsonPosition.DEFECT;
        }
        int value = 0;
        for (int i = at + 2; i < at + 2 + HEX_DIGITS; i++) {
            int digit = json[i] < 0 ? -1 : Character.digit(json[i], 16);
            if (digit < 0) {
                return JsonPosition.DEFECT;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /**
     * The place after the UTF-8 sequence of two to four bytes, or {@link JsonPosition#DEFECT}. Overlong forms,
     * surrogates and values above U+10FFFF are rejected.
     */
    static int multiByte(byte[] json, int at, int end) {
        int lead = json[at] & 0xff;
        int length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
        if (length == 0 || at + length > end) {
            return JsonPosition.DEFECT;
        }
        for (int i = at + 1; i < at + length; i++) {
            if ((json[i] & 0xc0) != 0x80) {
                return JsonPosition.DEFECT;
            }
        }
        int second = json[at + 1] & 0xff;
        boolean outOfRange = (lead == 0xe0 && second < 0xa0)
                || (lead == 0xed && second > 0x9f)
                || (lead == 0xf0 && second < 0x90)
                || (lead == 0xf4 && second > 0x8f);
        return outOfRange ? JsonPosition.DEFECT : at + length;
    }

    static boolean isEscaped(byte[] json, int start, int end) {
        for (int i = start; i < end; i++) {
            if (json[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    /** The text between these places of a scanned string. */
    static String textOf(byte[] json, int start, int end) {
        return isEscaped(json, start, end)
                ? unescaped(json, start, end)
                : new String(json, start, end - start, StandardCharsets.UTF_8);
    }

    /** The hash of the unescaped name, equal to the hash over plain bytes in {@link JsonScanner}. */
    static int hashOfUnescaped(byte[] json, int start, int end) {
        byte[] text = unescaped(json, start, end).getBytes(StandardCharsets.UTF_8);
        return EightBytes.hash(text, 0, text.length);
    }

    /** Whether two names are equal after unescaping. {@code escaped} is true if a name has escapes. */
    static boolean sameText(byte[] json, int start, int end, int otherStart, int otherEnd, boolean escaped) {
        return escaped
                ? textOf(json, start, end).equals(textOf(json, otherStart, otherEnd))
                : Arrays.equals(json, start, end, json, otherStart, otherEnd);
    }

    private static String unescaped(byte[] json, int start, int end) {
        String raw = new String(json, start, end - start, StandardCharsets.UTF_8);
        StringBuilder text = new StringBuilder(raw.length());
        int i = 0;
        while (i < raw.length()) {
            char c = raw.charAt(i++);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            char escape = raw.charAt(i++);
            switch (escape) {
                case 'b' -> text.append('\b');
                case 'f' -> text.append('\f');
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'u' -> {
                    text.append((char) Integer.parseInt(raw, i, i + HEX_DIGITS, 16));
                    i += HEX_DIGITS;
                }
                default -> text.append(escape);
            }
        }
        return text.toString();
    }
}
