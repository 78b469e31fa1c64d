package dev.latchkey.auth.engine;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104). The methods declare no checked exceptions, because every Java
 * platform has both algorithms. Safe for use by any number of threads.
 */
public final class Sha256 {

    private static final String HMAC = "HmacSHA256";

    private Sha256() {}

    /**
     * The digest of these parts, one after the other. The digest does not show where a part ends.
     *
     * @param parts not changed
     * @return 32 bytes
     */
    public static byte[] of(byte[]... parts) {
        MessageDigest digest = start();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /**
     * Creates a digest without input.
     *
     * @return an object for use by one thread
     */
    public static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /**
     * Creates an HMAC without input.
     *
     * @param key of any length but zero; copied
     * @return an object for use by one thread
     * @throws IllegalArgumentException if the key is empty
     */
    public static Mac startHmac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + HMAC, e);
        }
    }
}
