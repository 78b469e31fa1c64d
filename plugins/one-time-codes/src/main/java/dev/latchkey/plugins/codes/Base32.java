package dev.latchkey.plugins.codes;

/**
 * Bytes as letters and digits for users to type, with five bits per character. Only whole groups of five bytes, so
 * there is no padding.
 */
enum Base32 {
    /** RFC 4648 section 6: the alphabet of authenticator apps. */
    RFC_4648("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    /** Crockford's alphabet: without I, L, O and U, because these are easily confused with digits and V. */
    CROCKFORD("0123456789ABCDEFGHJKMNPQRSTVWXYZ");

    static final int BITS = 5;

    private final String alphabet;

    Base32(String alphabet) {
        this.alphabet = alphabet;
    }

    String encode(byte[] bytes) {
        if (bytes.length % BITS != 0) {
            throw new IllegalArgumentException("Whole groups of 5 bytes only, got " + bytes.length);
        }
        StringBuilder text = new StringBuilder(bytes.length * Byte.SIZE / BITS);
        int pending = 0;
        int bits = 0;
        for (byte next : bytes) {
            pending = pending << Byte.SIZE | (next & 0xFF);
            bits += Byte.SIZE;
            while (bits >= BITS) {
                bits -= BITS;
                text.append(alphabet.charAt((pending >> bits) & 0x1F));
            }
            pending &= (1 << bits) - 1;
        }
        return text.toString();
    }

    boolean has(int character) {
        return alphabet.indexOf(character) >= 0;
    }
}
