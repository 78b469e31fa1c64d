package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Secret;
import java.util.Base64;
import java.util.Optional;

/** Base64url without padding, as browsers write it. One text for each value: another spelling of the same bytes is refused. */
final class Base64Url {

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private Base64Url() {}

    static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }

    /** The bytes of this text; empty where the text is no Base64url, is empty, or has more than {@code most} bytes. */
    static Optional<byte[]> decode(Secret text, int most) {
        // Four characters for three bytes. The length is checked first, so that nobody pays for a long text.
        if (text.length() == 0 || text.length() > (most * 4L + 2) / 3) {
            return Optional.empty();
        }
        return text.withText(characters -> decode(characters.toString()));
    }

    static Optional<byte[]> decode(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            return encode(bytes).equals(text) ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
