package dev.latchkey.auth.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One question to the cache: the message for the HMAC, and the tag of the account.
 *
 * <p>The message starts with the owner's number (8 bytes, unique in a cache, so two encoders never share an entry). Each
 * field follows after its length. Text is written as UTF-16 code units: one byte each if all fit, otherwise two. The
 * lowest bit of a text's length tells the width. Therefore two different texts always have different bytes, also with lone
 * surrogates. UTF-8 would replace each lone surrogate by the same character.
 *
 * <p>The tag only groups entries, for the limit per stored hash and for eviction. Two stored hashes with equal tags
 * share this limit. Without the seed, an attacker cannot choose names with equal tags. Used by one thread, for one check.
 */
final class CredentialLookup {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** 2^64 divided by the golden ratio, odd. */
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Another odd number, without a pattern in its bits. */
    private static final long SALT = 0x5851F42D4C957F2DL;

    /** Changes the seed for the tags of user names, so that a name and an equal stored hash have different tags. */
    private static final long USERNAMES = 0xD1B54A32D192ED03L;

    private final byte[] message;
    private final long tag;
    private @Nullable CredentialDigest digest;

    private CredentialLookup(byte[] message, long tag) {
        this.message = message;
        this.tag = tag;
    }

    /** A password presented against a stored hash; the account is the stored hash. */
    static CredentialLookup ofPassword(long owner, long seed, String storedHash, CharSequence presented) {
        byte[] message = new byte[Long.BYTES + sizeOf(storedHash) + sizeOf(presented)];
        LONG.set(message, 0, owner);
        int end = put(message, Long.BYTES, storedHash);
        put(message, end, presented);
        return new CredentialLookup(message, tag(seed, message, Long.BYTES, end));
    }

    /** A secret presented for an account; the account is the name. The version separates equal names, such as by tenant. */
    static CredentialLookup ofSecret(long owner, long seed, String account, String version, byte[] presented) {
        byte[] message = new byte[Long.BYTES + sizeOf(account) + sizeOf(version) + Integer.BYTES + presented.length];
        LONG.set(message, 0, owner);
        int end = put(message, Long.BYTES, account);
        int at = put(message, end, version);
        INT.set(message, at, presented.length);
        System.arraycopy(presented, 0, message, at + Integer.BYTES, presented.length);
        return new CredentialLookup(message, tag(seed ^ USERNAMES, message, Long.BYTES, end));
    }

    /** The tag that {@link #ofPassword} gives to this stored hash. */
    static long tagOfStoredHash(long seed, String storedHash) {
        return tagOf(seed, storedHash);
    }

    /** The tag that {@link #ofSecret} gives to this account. */
    static long tagOfUsername(long seed, String account) {
        return tagOf(seed ^ USERNAMES, account);
    }

    private static long tagOf(long seed, String text) {
        byte[] field = new byte[sizeOf(text)];
        return tag(seed, field, 0, put(field, 0, text));
    }

    byte[] message() {
        return message;
    }

    long tag() {
        return tag;
    }

    /** Keeps the digest under the current key and wipes the message, which holds the password. */
    void settle(CredentialDigest digest) {
        this.digest = digest;
        Arrays.fill(message, (byte) 0);
    }

    CredentialDigest digest() {
        if (digest == null) {
            throw new IllegalStateException("The cache was not asked yet");
        }
        return digest;
    }

    private static int sizeOf(CharSequence text) {
        return Math.addExact(Integer.BYTES, text.length() << (isWide(text) ? 1 : 0));
    }

    private static boolean isWide(CharSequence text) {
        int all = 0;
        for (int i = 0; i < text.length(); i++) {
            all |= text.charAt(i);
        }
        return all > 0xFF;
    }

    private static int put(byte[] message, int at, CharSequence text) {
        int length = text.length();
        int start = at + Integer.BYTES;
        if (!isWide(text)) {
            INT.set(message, at, length << 1);
            for (int i = 0; i < length; i++) {
                message[start + i] = (byte) text.charAt(i);
            }
            return start + length;
        }
        INT.set(message, at, length << 1 | 1);
        for (int i = 0; i < length; i++) {
            message[start + 2 * i] = (byte) (text.charAt(i) >>> Byte.SIZE);
            message[start + 2 * i + 1] = (byte) text.charAt(i);
        }
        return start + 2 * length;
    }

    /**
     * A hash over words of eight bytes. Zeros fill the last word, and the field's own length tells the real size. Each
     * word is multiplied by a secret number, and both halves of the product are used. With the lower half alone, a
     * change of the top bit would change the hash in the same way under every seed.
     */
    private static long tag(long seed, byte[] message, int from, int to) {
        long factor = spread(seed) | 1;
        long hash = spread(~seed);
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = product(hash ^ (long) LONG.get(message, at), factor);
        }
        long rest = 0;
        for (; at < to; at++) {
            rest = rest << Byte.SIZE | (message[at] & 0xFF);
        }
        return product(product(hash ^ rest, factor), GOLDEN);
    }

    /** A number without a pattern in its bits, also for regular seeds. */
    private static long spread(long seed) {
        long once = (seed ^ seed >>> 32 ^ SALT) * GOLDEN;
        return (once ^ once >>> 29) * SALT;
    }

    private static long product(long word, long factor) {
        return Math.multiplyHigh(word, factor) ^ (word * factor);
    }

    /** Never shows the message. */
    @Override
    public String toString() {
        return "CredentialLookup[****]";
    }
}
