package dev.latchkey.plugins.apikeys;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA-256 under one key. A {@code Mac} is not safe for several threads, so each digest is computed by a copy of one that is never used itself;
 * a provider whose own cannot be copied makes a new one each time. Safe for use by any number of threads.
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

    /** The digest of the secret that begins there, and of what it is bound to. */
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
