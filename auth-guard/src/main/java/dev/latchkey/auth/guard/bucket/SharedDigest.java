package dev.latchkey.auth.guard.bucket;

import dev.latchkey.auth.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA-256, cut to 128 bits, under a key that several nodes share, so that they mean the same bucket. Safe for use by any number of threads. */
public final class SharedDigest implements KeyDigest {

    static final int MIN_KEY_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private SharedDigest(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** @throws IllegalArgumentException if the key is shorter than 32 bytes */
    static SharedDigest under(Secret key) {
        if (key.length() < MIN_KEY_BYTES) {
            throw new IllegalArgumentException(
                    "The key of shared limits needs at least " + MIN_KEY_BYTES + " bytes, got " + key.length());
        }
        return key.withBytes(SharedDigest::new);
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

    /** The kind comes first. It says what form the rest has, and so where that ends. */
    private BucketKey digest(Kind kind, byte[] rest) {
        Mac mac = begun(key);
        mac.update((byte) kind.code());
        return cut(mac.doFinal(rest));
    }

    /**
     * HMAC-SHA-256 under this key, ready to take a message.
     *
     * @param key of {@link #key}
     * @return a new object, for one thread and one message
     * @throws IllegalStateException if the JDK lacks what every JDK must have
     */
    public static Mac begun(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no " + ALGORITHM + ", which every JDK must have", e);
        }
    }

    /**
     * The key for {@link #begun}.
     *
     * @param key 32 random bytes or more; copied
     * @return the key in the JDK's form
     */
    public static SecretKeySpec key(byte[] key) {
        return new SecretKeySpec(key, ALGORITHM);
    }

    /**
     * The first 128 bits of a digest.
     *
     * @param digest of at least 16 bytes
     * @return the same bits as a key
     */
    public static BucketKey cut(byte[] digest) {
        ByteBuffer words = ByteBuffer.wrap(digest);
        return new BucketKey(words.getLong(), words.getLong());
    }
}
