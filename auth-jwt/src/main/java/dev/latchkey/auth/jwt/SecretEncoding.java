package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;

/**
 * How the text of a secret becomes the bytes of a key. Use {@link #BASE64} for new keys. The other encodings read the secrets of existing services
 * exactly as their libraries do, so that old tokens stay valid.
 *
 * <p>Lenient encodings skip or replace characters. A typing error in the secret is then a different key, not an error message.
 */
public enum SecretEncoding {
    /** Base64 or Base64url in the strict form of {@link KeyFile}. */
    BASE64 {
        @Override
        byte[] decode(String text) {
            return KeyText.fromLines(text);
        }
    },
    /** The characters of the text in UTF-8, as {@code secret.getBytes(UTF_8)}. One line break at the end is not part of the secret. */
    TEXT {
        @Override
        byte[] decode(String text) {
            return withoutLastBreak(text).getBytes(StandardCharsets.UTF_8);
        }
    },
    /**
     * As {@code Decoders.BASE64} of jjwt 0.10 and later: other characters at the start and the end are skipped, and {@code =} inside the text counts as zero
     * bits.
     */
    JJWT {
        @Override
        byte[] decode(String text) {
            return LenientBase64.trimmed(text);
        }
    },
    /** As {@code TextCodec.BASE64} of jjwt up to 0.9: other characters are skipped, and an incomplete last group is dropped. */
    JJWT_0_9 {
        @Override
        byte[] decode(String text) {
            return LenientBase64.inWholeGroups(text);
        }
    },
    /** As {@code Base64.decode} of Nimbus, which JHipster uses: both alphabets are accepted, and other characters are skipped. */
    NIMBUS {
        @Override
        byte[] decode(String text) {
            return LenientBase64.ofBothAlphabets(text);
        }
    };

    /** @throws IllegalArgumentException if the encoding's library rejects the text */
    abstract byte[] decode(String text);

    private static String withoutLastBreak(String text) {
        String cut = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return cut.endsWith("\r") && cut.length() < text.length() ? cut.substring(0, cut.length() - 1) : cut;
    }
}
