package dev.latchkey.auth.jwt;

import java.util.Arrays;

/**
 * Decodes Base64 as other libraries do. Each library skips other characters, or adds other bits. Only for secrets of
 * existing services. The tests compare each method with its library.
 */
final class LenientBase64 {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private static final char PADDING = '=';

    private LenientBase64() {}

    /** Reads the text like jjwt 0.10 and later. */
    static byte[] trimmed(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && !isKnown(text.charAt(start))) {
            start++;
        }
        while (end > start && !isKnown(text.charAt(end - 1))) {
            end--;
        }
        Bits bits = new Bits(end - start);
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (!isKnown(c)) {
                throw new IllegalArgumentException(
                        "The key is not Base64 as jjwt reads it: another character stands inside the text");
            }
            bits.add(c == PADDING ? 0 : ALPHABET.indexOf(c));
        }
        int padding = 0;
        while (padding < 2 && end - padding > start && text.charAt(end - 1 - padding) == PADDING) {
            padding++;
        }
        return bits.withoutLast(padding);
    }

    /** Reads the text like jjwt up to 0.9, which uses the converter of JAXB. */
    static byte[] inWholeGroups(String text) {
        Bits bits = new Bits(text.length());
        int[] group = new int[4];
        int filled = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                throw new IllegalArgumentException("The key is not Base64 as jjwt reads it: it is not ASCII");
            }
            if (isKnown(c)) {
                group[filled++] = c == PADDING ? -1 : ALPHABET.indexOf(c);
            }
            if (filled == 4) {
                bits.addGroup(group);
                filled = 0;
            }
        }
        return bits.withoutLast(0);
    }

    /** Reads the text like Nimbus. */
    static byte[] ofBothAlphabets(String text) {
        Bits bits = new Bits(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int value = ALPHABET.indexOf(c == '-' ? '+' : c == '_' ? '/' : c);
            if (value >= 0) {
                bits.add(value);
            }
        }
        return bits.withoutLast(0);
    }

    private static boolean isKnown(char c) {
        return c == PADDING || ALPHABET.indexOf(c) >= 0;
    }

    /** Collects six bits at a time into bytes. */
    private static final class Bits {

        private final byte[] bytes;
        private int length;
        private int pending;
        private int count;

        Bits(int characters) {
            bytes = new byte[characters];
        }

        void add(int sixBits) {
            pending = pending << 6 | sixBits;
            count += 6;
            if (count >= 8) {
                count -= 8;
                bytes[length++] = (byte) (pending >> count);
            }
        }

        /** Adds four characters. If the third or the fourth is padding, this character adds no byte. */
        void addGroup(int[] group) {
            int first = value(group[0]);
            int second = value(group[1]);
            int third = value(group[2]);
            bytes[length++] = (byte) (first << 2 | second >> 4);
            if (group[2] >= 0) {
                bytes[length++] = (byte) (second << 4 | third >> 2);
            }
            if (group[3] >= 0) {
                bytes[length++] = (byte) (third << 6 | group[3]);
            }
        }

        /** In JAXB, a padding character inside a group counts as these seven bits. */
        private static int value(int sixBits) {
            return sixBits < 0 ? 127 : sixBits;
        }

        byte[] withoutLast(int padding) {
            byte[] result = Arrays.copyOf(bytes, Math.max(0, length - padding));
            Arrays.fill(bytes, (byte) 0);
            return result;
        }
    }
}
