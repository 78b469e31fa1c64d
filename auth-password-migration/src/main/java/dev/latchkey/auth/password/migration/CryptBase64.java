package dev.latchkey.auth.password.migration;

/** The Base64 form of crypt(3): another alphabet, with the low six bits of each little-endian group first. */
final class CryptBase64 {

    private static final String CHARACTERS = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private final StringBuilder text = new StringBuilder();

    /** The value of a character, or -1. */
    static int value(char c) {
        return CHARACTERS.indexOf(c);
    }

    /** Appends 24 bits as this number of characters; {@code high} has the highest eight bits. */
    CryptBase64 group(int high, int middle, int low, int characters) {
        int bits = ((high & 0xff) << 16) | ((middle & 0xff) << 8) | (low & 0xff);
        for (int i = 0; i < characters; i++) {
            text.append(CHARACTERS.charAt(bits & 0x3f));
            bits >>= 6;
        }
        return this;
    }

    /** The text of these bytes in order. The first of three bytes is the lowest, as in phpass. */
    static String ofAll(byte[] bytes) {
        CryptBase64 out = new CryptBase64();
        for (int i = 0; i < bytes.length; i += 3) {
            int left = Math.min(3, bytes.length - i);
            out.group(left > 2 ? bytes[i + 2] : 0, left > 1 ? bytes[i + 1] : 0, bytes[i], left + 1);
        }
        return out.text();
    }

    String text() {
        return text.toString();
    }
}
