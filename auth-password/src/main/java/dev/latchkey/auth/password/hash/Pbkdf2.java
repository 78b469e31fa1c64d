package dev.latchkey.auth.password.hash;

import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * PBKDF2 (RFC 8018 section 5.2) with HMAC over digests that have already absorbed the key.
 *
 * <p>HMAC hashes one block of key and pad before the inner message and before the outer message. {@code Mac}, and
 * therefore the JDK's {@code SecretKeyFactory}, hashes both blocks again in every round: four compressions instead of
 * two. This class absorbs each pad once, and every round starts from a clone. Each call has its own clones, so any
 * number of threads may derive keys at once.
 *
 * <p>If the provider's digest cannot be cloned, the pads are absorbed again each time: slower, with the same result.
 */
final class Pbkdf2 {

    static final Pbkdf2 SHA1 = new Pbkdf2(Digest.SHA1, Digest.SHA1::start);
    static final Pbkdf2 SHA256 = new Pbkdf2(Digest.SHA256, Digest.SHA256::start);
    static final Pbkdf2 SHA512 = new Pbkdf2(Digest.SHA512, Digest.SHA512::start);

    private static final byte INNER_PAD = 0x36;
    private static final byte OUTER_PAD = 0x5c;

    private final Digest digest;
    private final Supplier<MessageDigest> digests;
    private final int blockBytes;
    private final int hashBytes;

    /** @param digests the source of the digest; called only when a key is derived */
    Pbkdf2(Digest digest, Supplier<MessageDigest> digests) {
        this.digest = digest;
        this.digests = digests;
        this.blockBytes = digest.blockBytes();
        this.hashBytes = digest.hashBytes();
    }

    /** HMAC's digest. */
    Digest digest() {
        return digest;
    }

    /** The length of one block of the derived key, in bytes (RFC 8018's hLen). */
    int hashBytes() {
        return hashBytes;
    }

    /** The number of blocks in a derived key of this length. Each block takes all iterations. */
    int blocks(int length) {
        return (length + hashBytes - 1) / hashBytes;
    }

    /** The derived key; the caller has checked for positive iterations and length. */
    byte[] derive(byte[] password, byte[] salt, int iterations, int length) {
        byte[] key = password.length > blockBytes ? digests.get().digest(password) : password;
        Padded inner = new Padded(key, INNER_PAD);
        Padded outer = new Padded(key, OUTER_PAD);
        byte[] derived = new byte[length];
        try {
            for (int block = 1, at = 0; at < length; block++, at += hashBytes) {
                byte[] sum = block(inner, outer, salt, block, iterations);
                System.arraycopy(sum, 0, derived, at, Math.min(hashBytes, length - at));
            }
        } catch (DigestException | CloneNotSupportedException e) {
            throw new IllegalStateException("The provider's digest stopped working as it did when probed", e);
        }
        return derived;
    }

    private byte[] block(Padded inner, Padded outer, byte[] salt, int block, int iterations)
            throws DigestException, CloneNotSupportedException {
        byte[] u = new byte[hashBytes];
        MessageDigest first = inner.digest();
        first.update(salt);
        first.update(new byte[] {(byte) (block >> 24), (byte) (block >> 16), (byte) (block >> 8), (byte) block});
        first.digest(u, 0, hashBytes);
        hash(outer, u);
        byte[] sum = u.clone();
        for (int i = 1; i < iterations; i++) {
            hash(inner, u);
            hash(outer, u);
            for (int b = 0; b < sum.length; b++) {
                sum[b] ^= u[b];
            }
        }
        return sum;
    }

    private void hash(Padded padded, byte[] u) throws DigestException, CloneNotSupportedException {
        MessageDigest digest = padded.digest();
        digest.update(u, 0, hashBytes);
        digest.digest(u, 0, hashBytes);
    }

    /** A digest that has absorbed the key's pad. */
    private final class Padded {

        private final byte[] pad;
        private final MessageDigest absorbed;
        private final boolean cloneable;

        Padded(byte[] key, byte value) {
            pad = Arrays.copyOf(key, blockBytes);
            for (int i = 0; i < pad.length; i++) {
                pad[i] ^= value;
            }
            absorbed = digests.get();
            // Two halves go through the digest's buffer. A whole block would take the JVM's compiled path for whole
            // blocks, as in the JDK's own PBKDF2. All clones of that state take twice the time (SHA-512 of JDK 17 and
            // 25).
            absorbed.update(pad, 0, blockBytes / 2);
            absorbed.update(pad, blockBytes / 2, blockBytes / 2);
            // Tested after absorbing: some digests can be cloned only before their first input.
            cloneable = Digest.canClone(absorbed);
            if (cloneable) {
                Arrays.fill(pad, (byte) 0);
            } else {
                absorbed.reset();
            }
        }

        MessageDigest digest() throws CloneNotSupportedException {
            if (cloneable) {
                return (MessageDigest) absorbed.clone();
            }
            // digest() resets the object, so one instance serves all rounds of this call.
            absorbed.update(pad);
            return absorbed;
        }
    }
}
