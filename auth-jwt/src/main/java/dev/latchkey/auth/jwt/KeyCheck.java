package dev.latchkey.auth.jwt;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Rejects unsuitable HMAC keys of any length.
 *
 * <p>A public key is no secret for an HMAC (CVE-2024-33031 and many similar vulnerabilities). Therefore the formats
 * of public keys, private keys and certificates are recognized and rejected.
 */
final class KeyCheck {

    private static final int DER_SEQUENCE = 0x30;
    private static final int DER_INTEGER = 0x02;

    private KeyCheck() {}

    /** @throws IllegalArgumentException with the broken rule; the message has none of the key's bytes */
    static void requireUsable(byte[] key, HmacAlgorithm algorithm) {
        if (key.length < algorithm.minKeyBytes()) {
            throw new IllegalArgumentException(algorithm + " needs at least " + algorithm.minKeyBytes()
                    + " key bytes (RFC 7518 section 3.2), got " + key.length);
        }
        if (isOneByteRepeated(key)) {
            throw new IllegalArgumentException(
                    "All bytes of this key are the same: it was never filled with random bytes");
        }
        if (isTextOfAsymmetricKey(key) || isDer(key)) {
            throw new IllegalArgumentException(
                    "This is a public key, a private key or a certificate (PEM, DER, JWK or SSH), which"
                            + " is no HMAC secret; take random bytes: HmacKey.generate(" + algorithm + ")");
        }
        Optional<String> origin = LeakedKeys.originOf(key);
        if (origin.isPresent()) {
            throw new IllegalArgumentException(
                    "This key is public: it is " + origin.get() + ". Whoever knows it can sign; take a new one");
        }
    }

    private static boolean isOneByteRepeated(byte[] key) {
        for (byte b : key) {
            if (b != key[0]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isTextOfAsymmetricKey(byte[] key) {
        String text = new String(key, StandardCharsets.ISO_8859_1).stripLeading();
        return text.startsWith("-----BEGIN ")
                || text.startsWith("ssh-")
                || text.startsWith("ecdsa-sha2-")
                || (text.startsWith("{") && text.contains("\"kty\""));
    }

    /**
     * Whether the bytes are one DER sequence that starts with a sequence or an integer, with matching lengths.
     * SubjectPublicKeyInfo, certificates, PKCS #8 and PKCS #1 have this form. About one random key in a hundred million
     * has this form.
     */
    private static boolean isDer(byte[] key) {
        int content = derContent(key, 0);
        if ((key[0] & 0xff) != DER_SEQUENCE || content < 0 || content + derLength(key, 0) != key.length) {
            return false;
        }
        int tag = key[content] & 0xff;
        int inner = derContent(key, content);
        return (tag == DER_SEQUENCE || tag == DER_INTEGER)
                && inner > 0
                && inner + derLength(key, content) <= key.length
                && derLength(key, content) > 0;
    }

    /**
     * The start of the content of the element at this place. -1 if the length has more than two octets. Only the first two
     * elements are read, so no key of sufficient length ends earlier.
     */
    private static int derContent(byte[] key, int at) {
        int length = key[at + 1] & 0xff;
        int octets = length < 0x80 ? 0 : length & 0x7f;
        return octets <= 2 ? at + 2 + octets : -1;
    }

    private static int derLength(byte[] key, int at) {
        int first = key[at + 1] & 0xff;
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            length = (length << 8) | (key[at + 2 + i] & 0xff);
        }
        return length;
    }
}
