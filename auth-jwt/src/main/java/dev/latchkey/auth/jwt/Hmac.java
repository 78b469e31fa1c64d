package dev.latchkey.auth.jwt;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** HMAC (RFC 2104) under one key. Safe for use by any number of threads, platform or virtual. */
sealed interface Hmac permits ClonedDigestHmac, RestartedMacHmac {

    /** HMAC with the platform's preferred digest. If the digest can be cloned, the key's bytes are not kept. */
    static Hmac of(HmacAlgorithm algorithm, byte[] key) {
        try {
            return of(algorithm, key, MessageDigest.getInstance(algorithm.digestName()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has " + algorithm.digestName(), e);
        }
    }

    static Hmac of(HmacAlgorithm algorithm, byte[] key, MessageDigest digest) {
        try {
            return new ClonedDigestHmac(algorithm, key, digest);
        } catch (CloneNotSupportedException e) {
            // Some providers, for example of hardware tokens, cannot copy a digest's state.
            return new RestartedMacHmac(algorithm, key);
        }
    }

    /**
     * Computes the MAC of {@code input[from, from + length)} into the front of {@code mac}.
     *
     * @return {@code false} if the key was wiped meanwhile. Then {@code mac} is worthless: neither compare nor issue
     *     the MAC
     */
    boolean compute(byte[] input, int from, int length, byte[] mac);

    /** Overwrites the key. */
    void wipe();
}
