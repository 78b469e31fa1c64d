package dev.latchkey.auth.jwt;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A secret key with its one algorithm.
 *
 * <p>The algorithm belongs to the key, never to a token (RFC 8725 section 3.1). Without a named algorithm, the key's
 * length decides: 32 to 47 bytes HS256, 48 to 63 HS384, 64 and more HS512.
 *
 * <p>For an unusable key, a factory throws an {@link IllegalArgumentException} with the reason. A key is unusable in
 * these cases:
 *
 * <ul>
 *   <li>The key is too short for the algorithm (RFC 7518 section 3.2).
 *   <li>All bytes of the key are equal.
 *   <li>The key is a public key, a private key or a certificate.
 *   <li>The key is a published secret, such as a product's default.
 * </ul>
 *
 * <p>The given bytes are copied, so the caller may wipe the array. {@link #close} overwrites the state for MACs. A
 * SHA-256 digest of the key remains. {@link #toString} prints nothing of the key. Safe for use by any number of threads.
 */
public final class HmacKey implements AutoCloseable {

    private static final int MAX_ID_LENGTH = 255;
    private static final byte[] SAMPLE = {0};

    /** The state shared by all copies with other ids, so that one close ends every copy. */
    private static final class Material {
        private final Hmac hmac;

        /** The SHA-256 digest of the key. Kept after {@link HmacKey#close}, to recognize a dropped key in a file. */
        private final String digest;

        private volatile boolean closed;

        Material(Hmac hmac, String digest) {
            this.hmac = hmac;
            this.digest = digest;
        }
    }

    private final HmacAlgorithm algorithm;

    @Nullable
    private final String id;

    private final Material material;

    private HmacKey(HmacAlgorithm algorithm, @Nullable String id, Material material) {
        this.algorithm = algorithm;
        this.id = id;
        this.material = material;
    }

    /**
     * Creates a key. The key's length decides the algorithm.
     *
     * @param key copied; the caller may wipe the array
     * @return a key without an id
     * @throws IllegalArgumentException if the key is unusable
     */
    public static HmacKey of(byte[] key) {
        return of(key, HmacAlgorithm.forKeyLength(key.length));
    }

    /**
     * Creates a key for this algorithm. A longer key than necessary is allowed.
     *
     * @param key copied; the caller may wipe the array
     * @param algorithm needs at least {@link HmacAlgorithm#minKeyBytes()} bytes
     * @return a key without an id
     * @throws IllegalArgumentException if the key is unusable
     */
    public static HmacKey of(byte[] key, HmacAlgorithm algorithm) {
        byte[] own = key.clone();
        try {
            KeyCheck.requireUsable(own, algorithm);
            return unchecked(own, algorithm);
        } finally {
            Arrays.fill(own, (byte) 0);
        }
    }

    /** For published test vectors. */
    static HmacKey unchecked(byte[] key, HmacAlgorithm algorithm) {
        return new HmacKey(algorithm, null, new Material(Hmac.of(algorithm, key), LeakedKeys.digestOf(key)));
    }

    /**
     * Reads a key in Base64 (RFC 4648 section 4) with padding, in one line.
     *
     * @param text not kept
     * @return a key without an id; the key's length decides the algorithm
     * @throws IllegalArgumentException if the text has another form, or the key is unusable
     */
    public static HmacKey ofBase64(CharSequence text) {
        return wiping(KeyText.fromBase64(text), HmacKey::of);
    }

    /**
     * As {@link #ofBase64(CharSequence)}, for this algorithm.
     *
     * @param text not kept
     * @param algorithm needs at least {@link HmacAlgorithm#minKeyBytes()} bytes
     * @return a key without an id
     */
    public static HmacKey ofBase64(CharSequence text, HmacAlgorithm algorithm) {
        return wiping(KeyText.fromBase64(text), key -> of(key, algorithm));
    }

    /**
     * Reads a key in Base64url (RFC 4648 section 5) without padding, like the member {@code k} of a JWK.
     *
     * @param text not kept
     * @return a key without an id; the key's length decides the algorithm
     * @throws IllegalArgumentException if the text has another form, or the key is unusable
     */
    public static HmacKey ofBase64Url(CharSequence text) {
        return wiping(KeyText.fromBase64Url(text), HmacKey::of);
    }

    /**
     * As {@link #ofBase64Url(CharSequence)}, for this algorithm.
     *
     * @param text not kept
     * @param algorithm needs at least {@link HmacAlgorithm#minKeyBytes()} bytes
     * @return a key without an id
     */
    public static HmacKey ofBase64Url(CharSequence text, HmacAlgorithm algorithm) {
        return wiping(KeyText.fromBase64Url(text), key -> of(key, algorithm));
    }

    /**
     * Reads a key of hexadecimal digits in either case.
     *
     * @param text two digits for each byte
     * @return a key without an id; the key's length decides the algorithm
     * @throws IllegalArgumentException if the text has another form, or the key is unusable
     */
    public static HmacKey ofHex(CharSequence text) {
        return wiping(KeyText.fromHex(text), HmacKey::of);
    }

    /**
     * As {@link #ofHex(CharSequence)}, for this algorithm.
     *
     * @param text two digits for each byte
     * @param algorithm needs at least {@link HmacAlgorithm#minKeyBytes()} bytes
     * @return a key without an id
     */
    public static HmacKey ofHex(CharSequence text, HmacAlgorithm algorithm) {
        return wiping(KeyText.fromHex(text), key -> of(key, algorithm));
    }

    /**
     * Reads a key from a file, for example from {@code openssl rand -base64 48}.
     * {@link KeyFile} describes the accepted content.
     *
     * @param file read once
     * @return a key without an id; the key's length decides the algorithm
     * @throws IllegalArgumentException if the file has another content or more than 4096 bytes, or the key is unusable
     * @throws IOException if the file cannot be read
     */
    public static HmacKey ofFile(Path file) throws IOException {
        return KeyFile.read(file, HmacKey::of);
    }

    /**
     * As {@link #ofFile(Path)}, for this algorithm.
     *
     * @param file read once
     * @param algorithm needs at least {@link HmacAlgorithm#minKeyBytes()} bytes
     * @return a key without an id
     * @throws IOException if the file cannot be read
     */
    public static HmacKey ofFile(Path file, HmacAlgorithm algorithm) throws IOException {
        return KeyFile.read(file, key -> of(key, algorithm));
    }

    /**
     * Reads a secret of an existing service, like the library of the service. The key's length decides the algorithm.
     *
     * @param text not kept
     * @param encoding of the library
     * @return a key without an id
     * @throws IllegalArgumentException if the library rejects the text, or the key is unusable
     */
    public static HmacKey ofSecret(CharSequence text, SecretEncoding encoding) {
        return wiping(encoding.decode(text.toString()), HmacKey::of);
    }

    /**
     * As {@link #ofSecret(CharSequence, SecretEncoding)}, for this algorithm.
     *
     * @param text not kept
     * @param encoding of the library
     * @param algorithm needs at least {@link HmacAlgorithm#minKeyBytes()} bytes
     * @return a key without an id
     */
    public static HmacKey ofSecret(CharSequence text, SecretEncoding encoding, HmacAlgorithm algorithm) {
        return wiping(encoding.decode(text.toString()), key -> of(key, algorithm));
    }

    /**
     * Reads a secret of an existing service from a file, in UTF-8.
     *
     * @param file read once
     * @param encoding of the library
     * @return a key without an id; the key's length decides the algorithm
     * @throws IllegalArgumentException if the library rejects the content, the file has more than 4096 bytes, or the key is unusable
     * @throws IOException if the file cannot be read
     */
    public static HmacKey ofFile(Path file, SecretEncoding encoding) throws IOException {
        return ofSecret(KeyFile.secretIn(file), encoding);
    }

    /**
     * As {@link #ofFile(Path, SecretEncoding)}, for this algorithm.
     *
     * @param file read once
     * @param encoding of the library
     * @param algorithm needs at least {@link HmacAlgorithm#minKeyBytes()} bytes
     * @return a key without an id
     * @throws IOException if the file cannot be read
     */
    public static HmacKey ofFile(Path file, SecretEncoding encoding, HmacAlgorithm algorithm) throws IOException {
        return ofSecret(KeyFile.secretIn(file), encoding, algorithm);
    }

    /**
     * Creates a random key as long as the algorithm's output: for tests, and for tokens that only this process reads.
     *
     * @param algorithm decides the length
     * @return a new secret key without an id
     */
    public static HmacKey generate(HmacAlgorithm algorithm) {
        byte[] key = new byte[algorithm.minKeyBytes()];
        new SecureRandom().nextBytes(key);
        return wiping(key, random -> unchecked(random, algorithm));
    }

    /**
     * Returns this key with an id. Tokens contain the id as {@code kid}. Both objects share one key: {@link #close}
     * closes both objects.
     *
     * @param id visible to everyone with a token; 1 to 255 characters
     * @return another name for the same key; this object does not change
     * @throws IllegalArgumentException if the id is blank, is longer than 255 characters, or has control characters or a
     *     lone surrogate
     */
    public HmacKey withId(String id) {
        if (id.isBlank() || id.length() > MAX_ID_LENGTH || id.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "A key's id has 1 to " + MAX_ID_LENGTH + " characters, is not blank and has no control characters");
        }
        JsonText.requireWellFormed(id, "A key's id");
        return new HmacKey(algorithm, id, material);
    }

    /**
     * The algorithm of this key.
     *
     * @return the algorithm for signing and for verifying
     */
    public HmacAlgorithm algorithm() {
        return algorithm;
    }

    /**
     * The {@code kid} in tokens.
     *
     * @return empty if the key has no id
     */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /**
     * Whether this key was closed, with this id or with another id.
     *
     * @return {@code true} if the key no longer signs or verifies
     */
    public boolean isClosed() {
        return material.closed;
    }

    /**
     * Whether both keys have the same bytes and the same algorithm. The ids are ignored. The keys are compared in
     * constant time, by the MACs of one message.
     *
     * @param other with any id, or without one
     * @return {@code false} also if one of the keys is closed
     */
    public boolean isSameKeyAs(HmacKey other) {
        byte[] mine = new byte[algorithm.macBytes()];
        byte[] theirs = new byte[other.algorithm.macBytes()];
        return algorithm == other.algorithm
                && compute(SAMPLE, 0, SAMPLE.length, mine)
                && other.compute(SAMPLE, 0, SAMPLE.length, theirs)
                && MessageDigest.isEqual(mine, theirs);
    }

    /** The SHA-256 digest of the key's bytes in hex, independent of id and algorithm; also for a closed key. */
    String digest() {
        return material.digest;
    }

    /**
     * Whether both keys have the same bytes, with any id and algorithm, also if one key is closed. Use this method to
     * find a leaked key.
     *
     * @param other compared by the SHA-256 digest of its bytes
     * @return {@code true} if the bytes are equal
     */
    public boolean hasSameBytesAs(HmacKey other) {
        return material.digest.equals(other.material.digest);
    }

    /** Overwrites the state for MACs. A closed key no longer signs or verifies. A second call has no effect. */
    @Override
    public void close() {
        material.closed = true;
        material.hmac.wipe();
    }

    /** As {@link Hmac#compute}; {@code false} for a closed key. */
    boolean compute(byte[] input, int from, int length, byte[] mac) {
        return material.hmac.compute(input, from, length, mac);
    }

    private static HmacKey wiping(byte[] key, Function<byte[], HmacKey> use) {
        try {
            return use.apply(key);
        } finally {
            Arrays.fill(key, (byte) 0);
        }
    }

    /** Prints neither the key nor its length. Equality is identity. */
    @Override
    public String toString() {
        return "HmacKey[" + algorithm + (id == null ? "]" : ", id=" + Objects.requireNonNull(id) + "]");
    }
}
