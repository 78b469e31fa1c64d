package dev.latchkey.plugins.apikeys;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA-256 with a key. A {@code Mac} is not safe for several threads, so each digest uses a copy of an unused
 * instance. If the provider's {@code Mac} cannot be copied, each digest creates a new instance. Safe for use by any
 * number of threads.
 */
final class KeyedDigest {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final Mac ready;

    private KeyedDigest(SecretKeySpec key) {
        this.key = key;
        this.ready = fresh();
    }

    static KeyedDigest under(byte[] key) {
        return new KeyedDigest(new SecretKeySpec(key, ALGORITHM));
    }

    /** The digest of the secret from this index on, and of the bound values. */
    byte[] of(byte[] text, int from, byte[] binding) {
        Mac mac = copy();
        mac.update(text, from, KeyFormat.SECRET_LENGTH);
        return mac.doFinal(binding);
    }

    private Mac copy() {
        try {
            return (Mac) ready.clone();
        } catch (CloneNotSupportedException e) {
            return fresh();
        }
    }

    private Mac fresh() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, e);
        }
    }
}
