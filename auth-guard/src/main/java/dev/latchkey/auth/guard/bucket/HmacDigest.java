package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * HMAC-SHA-256, truncated to 128 bits. Nodes with the same key create equal digests, and so use the same bucket. Safe
 * for use by any number of threads.
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

    /** The message begins with the kind. The kind determines the form and the end of the rest. */
    private BucketKey digest(Kind kind, byte[] rest) {
        return of(ByteBuffer.allocate(1 + rest.length)
                .put((byte) kind.code())
                .put(rest)
                .array());
    }

    /**
     * The digest of a message. The end of each part of the message must be clear, for example by a fixed length.
     *
     * @param message not kept. Do not use a key of buckets: the message may equal the message of a bucket
     * @return the first half of the HMAC
     */
    public BucketKey of(byte[] message) {
        ByteBuffer words = ByteBuffer.wrap(Sha256.startHmac(key).doFinal(message));
        return new BucketKey(words.getLong(), words.getLong());
    }
}
