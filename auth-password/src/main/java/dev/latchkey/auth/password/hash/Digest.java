package dev.latchkey.auth.password.hash;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * The message digests of stored hashes. A digest is looked up only when a row needs one. A JVM restricted to approved
 * algorithms (FIPS 140) has no MD5 and perhaps no SHA-1. Such a JVM still reads all other rows.
 */
public enum Digest {
    /** MD5 (RFC 1321), in rows of old systems. */
    MD5("MD5", 16, 64),
    /** SHA-1 (FIPS 180-4), in rows of old systems. */
    SHA1("SHA-1", 20, 64),
    /** SHA-256 (FIPS 180-4). */
    SHA256("SHA-256", 32, 64),
    /** SHA-384 (FIPS 180-4). */
    SHA384("SHA-384", 48, 128),
    /** SHA-512 (FIPS 180-4). */
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

    /**
     * The JDK's name of the digest.
     *
     * @return from the Java Security Standard Algorithm Names, such as {@code SHA-256}
     */
    public String algorithm() {
        return algorithm;
    }

    /**
     * The length of a hash.
     *
     * @return in bytes
     */
    public int hashBytes() {
        return hashBytes;
    }

    /**
     * The length of an input block. HMAC brings its key to this length (RFC 2104 section 2).
     *
     * @return in bytes
     */
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

    /**
     * Creates a digest. Check {@link ParsedHash#needing} first.
     *
     * @return for one thread
     * @throws IllegalStateException if no security provider of this JVM has the digest
     */
    public MessageDigest start() {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("No security provider of this JVM has " + algorithm, e);
        }
    }

    /**
     * Hashes the concatenation of these parts.
     *
     * @param parts not changed
     * @return {@link #hashBytes} bytes
     * @throws IllegalStateException if no security provider of this JVM has the digest
     */
    public byte[] hash(byte[]... parts) {
        MessageDigest digest = start();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    /**
     * HMAC (RFC 2104), computed with the digest: a row then needs no HMAC algorithm of the JVM.
     *
     * @param key of any length; not changed
     * @param message not changed
     * @return {@link #hashBytes} bytes
     * @throws IllegalStateException if no security provider of this JVM has the digest
     */
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

    /** Whether the provider's digest can be cloned. Only a trial shows this. */
    static boolean canClone(MessageDigest digest) {
        try {
            return digest.clone() instanceof MessageDigest;
        } catch (CloneNotSupportedException e) {
            return false;
        }
    }
}
