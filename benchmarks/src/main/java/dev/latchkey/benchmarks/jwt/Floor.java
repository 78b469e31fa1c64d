package dev.latchkey.benchmarks.jwt;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/** The HMAC alone: two pre-keyed digests, cloned for each message. Nothing is parsed, encoded or compared. */
final class Floor {

    private final MessageDigest inner;
    private final MessageDigest outer;
    private final byte[] message;

    /** @param token the part before the second dot is the message */
    Floor(TokenLibrary.Algorithm algorithm, byte[] key, String token) throws Exception {
        String digest = "SHA-" + algorithm.name().substring(2);
        int block = algorithm == TokenLibrary.Algorithm.HS256 ? 64 : 128;
        this.inner = keyed(MessageDigest.getInstance(digest), key, block, 0x36);
        this.outer = keyed(MessageDigest.getInstance(digest), key, block, 0x5c);
        this.message = token.substring(0, token.lastIndexOf('.')).getBytes(StandardCharsets.US_ASCII);
    }

    byte[] mac() throws CloneNotSupportedException {
        MessageDigest first = (MessageDigest) inner.clone();
        first.update(message);
        MessageDigest second = (MessageDigest) outer.clone();
        return second.digest(first.digest());
    }

    private static MessageDigest keyed(MessageDigest digest, byte[] key, int block, int pad) {
        byte[] padded = Arrays.copyOf(key, block);
        for (int i = 0; i < block; i++) {
            padded[i] ^= (byte) pad;
        }
        digest.update(padded);
        return digest;
    }
}
