package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Secret;
import java.util.Base64;
import java.util.Optional;

/**
 * Base64url without padding, as browsers write bytes. Each value has a single text: other spellings of the same bytes are
 * rejected.
 */
final class Base64Url {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int BITS = 6;
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private Base64Url() {}

    static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }

    /** The bytes of this text; empty if the text is no Base64url, is empty, or has more than {@code most} bytes. */
    static Optional<byte[]> decode(Secret text, int most) {
        // Three bytes have four characters. The length is checked first, so that a long text costs no work.
        if (text.length() == 0 || text.length() > (most * 4L + 2) / 3) {
            return Optional.empty();
        }
        return text.withText(characters -> decode(characters.toString()));
    }

    /** Works without the JDK's decoder, which has written out of bounds for text outside its alphabet (JDK-8392044). */
    static Optional<byte[]> decode(String text) {
        byte[] bytes = new byte[text.length() * BITS / Byte.SIZE];
        int pending = 0;
        int bits = 0;
        int at = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = ALPHABET.indexOf(text.charAt(i));
            if (value < 0) {
                return Optional.empty();
            }
            pending = pending << BITS | value;
            bits += BITS;
            if (bits >= Byte.SIZE) {
                bits -= Byte.SIZE;
                bytes[at++] = (byte) (pending >> bits);
            }
            pending &= (1 << bits) - 1;
        }
        // The remaining bits must be fewer than six, and zeros. Otherwise two texts would have the same bytes.
        return bits < BITS && pending == 0 ? Optional.of(bytes) : Optional.empty();
    }
}
