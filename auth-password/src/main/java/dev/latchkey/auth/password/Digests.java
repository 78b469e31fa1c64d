package dev.latchkey.auth.password;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The JVM's message digests. */
final class Digests {

    private Digests() {}

    static MessageDigest of(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("No security provider of this JVM has " + algorithm, e);
        }
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
