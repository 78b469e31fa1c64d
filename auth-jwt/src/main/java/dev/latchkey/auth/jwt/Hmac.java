package dev.latchkey.auth.jwt;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** HMAC (RFC 2104) under one key. Safe for use by any number of threads, platform or virtual. */
sealed interface Hmac permits ClonedDigestHmac, RestartedMacHmac {

    /** HMAC by the digest that the platform prefers; the key's bytes are not kept where that digest can be cloned. */
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
            // Some providers, hardware tokens among them, cannot copy a digest's state.
            return new RestartedMacHmac(algorithm, key);
        }
    }

    /**
     * Computes the MAC of {@code input[from, from + length)} into the front of {@code mac}.
     *
     * @return {@code false} if this was wiped meanwhile: what stands in {@code mac} is then worth nothing, and must
     *     neither be compared with nor issued
     */
    boolean compute(byte[] input, int from, int length, byte[] mac);

    /** Overwrites the key. */
    void wipe();
}
