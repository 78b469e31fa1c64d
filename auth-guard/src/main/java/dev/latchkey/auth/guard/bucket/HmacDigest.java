package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * HMAC-SHA-256, truncated to 128 bits. Nodes with the same key make equal digests, and so use the same bucket. Safe for
 * use by any number of threads.
 */
public final class HmacDigest implements KeyDigest {

    static final int MIN_KEY_BYTES = 32;

    private final byte[] key;

    private HmacDigest(byte[] key) {
        this.key = key.clone();
    }

    /**
     * Creates digests with this key.
     *
     * @param key of at least 32 bytes; copied
     * @return equal digests on each node with this key
     * @throws IllegalArgumentException if the key is shorter than 32 bytes
     */
    public static HmacDigest under(Secret key) {
        if (key.length() < MIN_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The key of shared limits needs at least " + MIN_KEY_BYTES + " bytes, got " + key.length());
        }
        return key.withBytes(HmacDigest::new);
    }

    @Override
    public BucketKey of(Kind kind, String text) {
        return digest(kind, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public BucketKey of(Kind kind, long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long each : numbers) {
            bytes.putLong(each);
        }
        return digest(kind, bytes.array());
    }

    /** The kind comes first. The kind determines the form and the end of the rest. */
    private BucketKey digest(Kind kind, byte[] rest) {
        return of(ByteBuffer.allocate(1 + rest.length)
                .put((byte) kind.code())
                .put(rest)
                .array());
    }

    /**
     * The digest of a message in which the end of each part is clear.
     *
     * @param message not kept; with a key also used for buckets, the message may equal a bucket's message
     * @return the first half of its HMAC
     */
    public BucketKey of(byte[] message) {
        ByteBuffer words = ByteBuffer.wrap(Sha256.startHmac(key).doFinal(message));
        return new BucketKey(words.getLong(), words.getLong());
    }
}
