package dev.latchkey.auth.jwt;

import java.lang.invoke.VarHandle;
import java.security.DigestException;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * HMAC with two digests that have absorbed the padded key and are cloned for each message.
 *
 * <p>RFC 2104 section 4 proposes this method: the two compressions of the key's pads run once per key.
 * {@code javax.crypto.Mac} repeats the two compressions for each message. Each call has its own clones, so threads
 * share nothing and no thread keeps anything. A virtual thread costs no more than a platform thread.
 */
final class ClonedDigestHmac implements Hmac {

    private static final byte INNER_PAD = 0x36;
    private static final byte OUTER_PAD = 0x5c;

    private final MessageDigest inner;
    private final MessageDigest outer;
    private final int macBytes;
    private volatile boolean wiped;

    /** @throws CloneNotSupportedException if the digest's state cannot be copied, with input or without */
    ClonedDigestHmac(HmacAlgorithm algorithm, byte[] key, MessageDigest digest) throws CloneNotSupportedException {
        this.inner = (MessageDigest) digest.clone();
        this.outer = (MessageDigest) digest.clone();
        this.macBytes = algorithm.macBytes();
        byte[] block = key.length > algorithm.blockBytes() ? digest.digest(key) : key.clone();
        absorb(inner, block, INNER_PAD, algorithm.blockBytes());
        absorb(outer, block, OUTER_PAD, algorithm.blockBytes());
        Arrays.fill(block, (byte) 0);
        requireCloneable();
    }

    /**
     * Tests clones of digests with an absorbed key, because each message needs such clones. Some digests can copy only an
     * empty state.
     */
    private void requireCloneable() throws CloneNotSupportedException {
        try {
            ((MessageDigest) inner.clone()).reset();
            ((MessageDigest) outer.clone()).reset();
        } catch (CloneNotSupportedException e) {
            wipe();
            throw e;
        }
    }

    private static void absorb(MessageDigest digest, byte[] key, byte pad, int blockBytes) {
        byte[] padded = Arrays.copyOf(key, blockBytes);
        for (int i = 0; i < padded.length; i++) {
            padded[i] ^= pad;
        }
        digest.update(padded);
        Arrays.fill(padded, (byte) 0);
    }

    @Override
    public boolean compute(byte[] input, int from, int length, byte[] mac) {
        try {
            MessageDigest first = (MessageDigest) inner.clone();
            MessageDigest second = (MessageDigest) outer.clone();
            // A clone taken during wipe() computes with a publicly known key. The fences here and in wipe() order the
            // flag and the digests' plain fields on processors with weak ordering.
            VarHandle.loadLoadFence();
            if (wiped) {
                return false;
            }
            first.update(input, from, length);
            first.digest(mac, 0, macBytes);
            second.update(mac, 0, macBytes);
            second.digest(mac, 0, macBytes);
            return true;
        } catch (CloneNotSupportedException | DigestException e) {
            throw new IllegalStateException("A digest that was cloned once can be cloned again", e);
        }
    }

    @Override
    public void wipe() {
        wiped = true;
        VarHandle.fullFence();
        inner.reset();
        outer.reset();
    }
}
