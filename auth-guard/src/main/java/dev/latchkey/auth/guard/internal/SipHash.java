package dev.latchkey.auth.guard.internal;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012), a keyed 64-bit hash. Without the key, an attacker cannot find two inputs
 * that collide. The hash takes a few nanoseconds for each eight bytes.
 *
 * <p>Used for tables and buckets in this process, on every login. An HMAC sets up its key each time, and this costs
 * more than the look-up. The methods allocate nothing, apart from the caller's array of numbers. Safe for use by any
 * number of threads.
 */
public final class SipHash {

    private static final long[] NO_WORDS = {};
    private static final int CHARS_PER_WORD = Long.BYTES / Character.BYTES;
    private static final int ROUNDS_PER_WORD = 2;
    private static final int LAST_ROUNDS = 4;

    private final long k0;
    private final long k1;

    /** The key's first eight bytes and last eight bytes as little-endian numbers. */
    SipHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    /**
     * A hash with a random key, for the life of this object.
     *
     * @return hashes without a meaning for other instances or processes
     */
    public static SipHash random() {
        byte[] key = new byte[2 * Long.BYTES];
        new SecureRandom().nextBytes(key);
        ByteBuffer words = ByteBuffer.wrap(key);
        return new SipHash(words.getLong(), words.getLong());
    }

    /**
     * The hash of a number followed by a text.
     *
     * @param first separates kinds of texts; hashed as eight bytes, the least significant first
     * @param text hashed as UTF-16LE
     * @return 64 bits that look random without the key
     */
    public long hash(long first, CharSequence text) {
        return hash(first, NO_WORDS, text);
    }

    /**
     * The hash of these numbers, each as eight bytes with the least significant first.
     *
     * @param first separates kinds of numbers
     * @param more the rest
     * @return 64 bits that look random without the key
     */
    public long hash(long first, long... more) {
        return hash(first, more, "");
    }

    private long hash(long first, long[] more, CharSequence text) {
        long v0 = k0 ^ 0x736f6d6570736575L;
        long v1 = k1 ^ 0x646f72616e646f6dL;
        long v2 = k0 ^ 0x6c7967656e657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        int numbers = 1 + more.length;
        int words = numbers + text.length() / CHARS_PER_WORD + 1;
        for (int i = 0; i <= words; i++) {
            boolean afterLast = i == words;
            long word = afterLast ? 0 : i == 0 ? first : i < numbers ? more[i - 1] : word(text, i - numbers, numbers);
            v2 ^= afterLast ? 0xff : 0;
            v3 ^= word;
            for (int round = afterLast ? LAST_ROUNDS : ROUNDS_PER_WORD; round > 0; round--) {
                v0 += v1;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v3;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 += v3;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    /**
     * Four characters. The last word has the remaining characters, and the message's length in bytes in its highest
     * byte.
     */
    private static long word(CharSequence text, int index, int numbers) {
        int from = index * CHARS_PER_WORD;
        int to = Math.min(text.length(), from + CHARS_PER_WORD);
        long word = 0;
        for (int i = to - 1; i >= from; i--) {
            word = word << Character.SIZE | text.charAt(i);
        }
        boolean last = to - from < CHARS_PER_WORD;
        long length = (long) numbers * Long.BYTES + (long) text.length() * Character.BYTES;
        return last ? word | length << (Long.SIZE - Byte.SIZE) : word;
    }
}
