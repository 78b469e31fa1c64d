package dev.latchkey.benchmarks.jmh;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** An HMAC (RFC 2104) at the least cost on the running JDK: two pre-keyed digests, cloned for each message. */
public final class BareHmac {

    private final MessageDigest inner;
    private final MessageDigest outer;

    /** @param block the length of the digest's block in bytes */
    public BareHmac(String digest, byte[] key, int block) throws NoSuchAlgorithmException {
        inner = keyed(MessageDigest.getInstance(digest), key, block, 0x36);
        outer = keyed(MessageDigest.getInstance(digest), key, block, 0x5c);
    }

    private static MessageDigest keyed(MessageDigest digest, byte[] key, int block, int pad) {
        byte[] padded = Arrays.copyOf(key, block);
        for (int i = 0; i < block; i++) {
            padded[i] ^= (byte) pad;
        }
        digest.update(padded);
        return digest;
    }

    public byte[] of(byte[] message) throws CloneNotSupportedException {
        MessageDigest first = (MessageDigest) inner.clone();
        first.update(message);
        MessageDigest second = (MessageDigest) outer.clone();
        return second.digest(first.digest());
    }
}
