package dev.latchkey.auth.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * HMAC-SHA-256 (RFC 2104) under one random key, which never leaves this process.
 *
 * <p>{@code Mac} hashes both pads for each message. This class instead clones a digest that has already hashed the
 * inner pad and the label. A clone is cheaper and safe on any thread, platform or virtual. The outer hash reuses the
 * same clone after its reset. The reuse costs one more compression but no second clone, so a hit allocates half as
 * much. If the provider's digests cannot be cloned, each message starts a new digest.
 */
final class DigestKey {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int BLOCK_BYTES = 64;
    private static final int MAC_BYTES = 32;
    private static final byte INNER_PAD = 0x36;
    private static final byte OUTER_PAD = 0x5c;

    /** Separates these digests from any other use of the same key. */
    static final byte[] LABEL = "latchkey cache 1".getBytes(StandardCharsets.US_ASCII);

    private final Supplier<MessageDigest> digests;
    private final byte[] innerPad;
    private final byte[] outerPad;
    private final MessageDigest prototype;
    private final boolean cloneable;

    private DigestKey(byte[] key, Supplier<MessageDigest> digests) {
        this.digests = digests;
        innerPad = pad(key, INNER_PAD);
        outerPad = pad(key, OUTER_PAD);
        prototype = started();
        cloneable = canClone(prototype);
    }

    static DigestKey random(SecureRandom random) {
        byte[] key = new byte[MAC_BYTES];
        random.nextBytes(key);
        try {
            return of(key, DigestKey::sha256);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /** Uses a given key of at most one block, and another source of SHA-256 digests. */
    static DigestKey of(byte[] key, Supplier<MessageDigest> digests) {
        return new DigestKey(key, digests);
    }

    /** The HMAC over the label and the message. */
    CredentialDigest digest(byte[] message) {
        MessageDigest digest = cloneable ? cloned() : started();
        byte[] mac = new byte[MAC_BYTES];
        digest.update(message);
        finish(digest, mac);
        digest.update(outerPad);
        digest.update(mac);
        finish(digest, mac);
        return new CredentialDigest(
                (long) LONG.get(mac, 0), (long) LONG.get(mac, 8), (long) LONG.get(mac, 16), (long) LONG.get(mac, 24));
    }

    /** Overwrites the pads. The prototype's inner state can only be reset, not overwritten. */
    void wipe() {
        Arrays.fill(innerPad, (byte) 0);
        Arrays.fill(outerPad, (byte) 0);
        prototype.reset();
    }

    private MessageDigest cloned() {
        try {
            return (MessageDigest) prototype.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("A digest that could be cloned no longer can", e);
        }
    }

    private MessageDigest started() {
        MessageDigest digest = digests.get();
        digest.update(innerPad);
        digest.update(LABEL);
        return digest;
    }

    private static void finish(MessageDigest digest, byte[] to) {
        try {
            digest.digest(to, 0, MAC_BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 did not give 32 bytes", e);
        }
    }

    private static byte[] pad(byte[] key, byte with) {
        byte[] pad = Arrays.copyOf(key, BLOCK_BYTES);
        for (int i = 0; i < pad.length; i++) {
            pad[i] ^= with;
        }
        return pad;
    }

    private static boolean canClone(MessageDigest digest) {
        try {
            return digest.clone() instanceof MessageDigest;
        } catch (CloneNotSupportedException e) {
            return false;
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform must have SHA-256", e);
        }
    }
}
