package dev.latchkey.auth.password.hash;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The message digests that stored hashes are made with. None is looked up before a row needs it: a JVM that is restricted to approved
 * algorithms (FIPS 140) has no MD5 and perhaps no SHA-1, and reads all rows that need neither.
 */
public enum Digest {
    MD5("MD5", 16, 64),
    SHA1("SHA-1", 20, 64),
    SHA256("SHA-256", 32, 64),
    SHA384("SHA-384", 48, 128),
    SHA512("SHA-512", 64, 128);

    private static final byte INNER_PAD = 0x36;
    private static final byte OUTER_PAD = 0x5c;

    private final String algorithm;
    private final int hashBytes;
    private final int blockBytes;

    Digest(String algorithm, int hashBytes, int blockBytes) {
        this.algorithm = algorithm;
        this.hashBytes = hashBytes;
        this.blockBytes = blockBytes;
    }

    /** By the name of the Java Security Standard Algorithm Names: {@code SHA-256}. */
    public String algorithm() {
        return algorithm;
    }

    public int hashBytes() {
        return hashBytes;
    }

    /** The input block, which is also the length of HMAC's key (RFC 2104 section 2). */
    public int blockBytes() {
        return blockBytes;
    }

    boolean isMissing() {
        try {
            MessageDigest.getInstance(algorithm);
            return false;
        } catch (NoSuchAlgorithmException e) {
            return true;
        }
    }

    /** A new one; for a row, that is after {@link ParsedHash#needing} has asked whether there is any. */
    public MessageDigest start() {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("No security provider of this JVM has " + algorithm, e);
        }
    }

    /** The hash of these parts, one behind the other. */
    public byte[] hash(byte[]... parts) {
        MessageDigest digest = start();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /** HMAC (RFC 2104). On the digest alone, so that a row needs one algorithm of the JVM and not two. */
    public byte[] hmac(byte[] key, byte[] message) {
        byte[] whole = Arrays.copyOf(key.length > blockBytes ? hash(key) : key, blockBytes);
        byte[] mac = hash(padded(whole, OUTER_PAD), hash(padded(whole, INNER_PAD), message));
        Arrays.fill(whole, (byte) 0);
        return mac;
    }

    private static byte[] padded(byte[] key, byte pad) {
        byte[] padded = key.clone();
        for (int i = 0; i < padded.length; i++) {
            padded[i] ^= pad;
        }
        return padded;
    }

    /** Whether this provider's digest can be cloned; the one way to know is to try. */
    static boolean canClone(MessageDigest digest) {
        try {
            return digest.clone() instanceof MessageDigest;
        } catch (CloneNotSupportedException e) {
            return false;
        }
    }
}
