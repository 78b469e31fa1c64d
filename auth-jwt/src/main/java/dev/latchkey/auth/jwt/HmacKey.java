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
 * A secret key together with the one algorithm that it is used with.
 *
 * <p>The algorithm belongs to the key, never to a token (RFC 8725 section 3.1). Where none is named, the key's length names it: 32 to 47 bytes HS256, 48
 * to 63 HS384, 64 and more HS512.
 *
 * <p>A key that cannot be one is refused with an {@link IllegalArgumentException} that says why: too short for its algorithm (RFC 7518 section 3.2), the
 * same byte over and over, a public key or certificate, or a secret that was published, such as the default of a product.
 *
 * <p>Keeps no copy of the bytes given, so the caller may wipe them. {@link #close} overwrites what was derived from them. {@link #toString} prints
 * nothing of the key. Safe for use by any number of threads.
 */
public final class HmacKey implements AutoCloseable {

    private static final int MAX_ID_LENGTH = 255;
    private static final byte[] SAMPLE = {0};

    /** What keys with another id share with the one they were made from, so that one close ends them all. */
    private static final class Material {
        private final Hmac hmac;

        /** Stays after {@link HmacKey#close}: a dropped key must be known again when its bytes come back from a file. */
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
     * A key with the algorithm that its length names.
     *
     * @param key is copied; who calls may wipe it
     * @return a key without an id
     * @throws IllegalArgumentException if the key is refused
     */
    public static HmacKey of(byte[] key) {
        return of(key, HmacAlgorithm.forKeyLength(key.length));
    }

    /**
     * A key for this algorithm; longer than needed is allowed.
     *
     * @param key is copied; who calls may wipe it
     * @param algorithm needs {@link HmacAlgorithm#minKeyBytes()} bytes at least
     * @return a key without an id
     * @throws IllegalArgumentException if the key is refused
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

    /** For test vectors, whose keys everybody knows. */
    static HmacKey unchecked(byte[] key, HmacAlgorithm algorithm) {
        return new HmacKey(algorithm, null, new Material(Hmac.of(algorithm, key), LeakedKeys.digestOf(key)));
    }

    /**
     * A key written in Base64 (RFC 4648 section 4) with padding, in one line.
     *
     * @param text is not kept
     * @return a key without an id, with the algorithm that its length names
     * @throws IllegalArgumentException if the text is not exactly that, or the key is refused
     */
    public static HmacKey ofBase64(CharSequence text) {
        return wiping(KeyText.fromBase64(text), HmacKey::of);
    }

    /**
     * As {@link #ofBase64(CharSequence)}, for this algorithm.
     *
     * @param text is not kept
     * @param algorithm needs {@link HmacAlgorithm#minKeyBytes()} bytes at least
     * @return a key without an id
     */
    public static HmacKey ofBase64(CharSequence text, HmacAlgorithm algorithm) {
        return wiping(KeyText.fromBase64(text), key -> of(key, algorithm));
    }

    /**
     * A key written in Base64url (RFC 4648 section 5) without padding, as the member {@code k} of a JWK is.
     *
     * @param text is not kept
     * @return a key without an id, with the algorithm that its length names
     * @throws IllegalArgumentException if the text is not exactly that, or the key is refused
     */
    public static HmacKey ofBase64Url(CharSequence text) {
        return wiping(KeyText.fromBase64Url(text), HmacKey::of);
    }

    /**
     * As {@link #ofBase64Url(CharSequence)}, for this algorithm.
     *
     * @param text is not kept
     * @param algorithm needs {@link HmacAlgorithm#minKeyBytes()} bytes at least
     * @return a key without an id
     */
    public static HmacKey ofBase64Url(CharSequence text, HmacAlgorithm algorithm) {
        return wiping(KeyText.fromBase64Url(text), key -> of(key, algorithm));
    }

    /**
     * A key written as hexadecimal digits in either case.
     *
     * @param text two digits for each byte
     * @return a key without an id, with the algorithm that its length names
     * @throws IllegalArgumentException if the text is not exactly that, or the key is refused
     */
    public static HmacKey ofHex(CharSequence text) {
        return wiping(KeyText.fromHex(text), HmacKey::of);
    }

    /**
     * As {@link #ofHex(CharSequence)}, for this algorithm.
     *
     * @param text two digits for each byte
     * @param algorithm needs {@link HmacAlgorithm#minKeyBytes()} bytes at least
     * @return a key without an id
     */
    public static HmacKey ofHex(CharSequence text, HmacAlgorithm algorithm) {
        return wiping(KeyText.fromHex(text), key -> of(key, algorithm));
    }

    /**
     * A key from a file, as {@code openssl rand -base64 48} or {@code password-tool secret 48} write it; {@link KeyFile} says exactly what
     * it may hold.
     *
     * @param file is read once
     * @return a key without an id, with the algorithm that its length names
     * @throws IllegalArgumentException if the file holds anything else or more than 4096 bytes, or the key is refused
     * @throws IOException if the file cannot be read
     */
    public static HmacKey ofFile(Path file) throws IOException {
        return KeyFile.read(file, HmacKey::of);
    }

    /**
     * As {@link #ofFile(Path)}, for this algorithm.
     *
     * @param file is read once
     * @param algorithm needs {@link HmacAlgorithm#minKeyBytes()} bytes at least
     * @return a key without an id
     * @throws IOException if the file cannot be read
     */
    public static HmacKey ofFile(Path file, HmacAlgorithm algorithm) throws IOException {
        return KeyFile.read(file, key -> of(key, algorithm));
    }

    /**
     * A new random key, as long as the algorithm's output: for tests, and for tokens that no other process reads.
     *
     * @param algorithm says how long it is
     * @return a key without an id, which nobody else has
     */
    public static HmacKey generate(HmacAlgorithm algorithm) {
        byte[] key = new byte[algorithm.minKeyBytes()];
        new SecureRandom().nextBytes(key);
        return wiping(key, random -> unchecked(random, algorithm));
    }

    /**
     * This key with an id, which its tokens carry as {@code kid}. Both share one key: closing one closes the other.
     *
     * @param id is shown to whoever has a token; 1 to 255 characters
     * @return another name for the same key; this one stays as it is
     * @throws IllegalArgumentException if the id is blank, longer than 255 characters or has control characters
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
     * What it signs with.
     *
     * @return the algorithm, which verifiers of this key expect too
     */
    public HmacAlgorithm algorithm() {
        return algorithm;
    }

    /**
     * What tokens carry as {@code kid}.
     *
     * @return empty where it was given none
     */
    public Optional<String> id() {
        return Optional.ofNullable(id);
    }

    /**
     * Whether its bytes were wiped, under this id or another one.
     *
     * @return {@code true} once it neither signs nor verifies any more
     */
    public boolean isClosed() {
        return material.closed;
    }

    /**
     * Whether both have the same bytes and the same algorithm, whatever their ids; compared in constant time, by the MACs of one message. A closed key
     * is never the same as another.
     *
     * @param other with any id, or with none
     * @return {@code false} as well where one of the two is closed
     */
    public boolean isSameKeyAs(HmacKey other) {
        byte[] mine = new byte[algorithm.macBytes()];
        byte[] theirs = new byte[other.algorithm.macBytes()];
        return algorithm == other.algorithm
                && compute(SAMPLE, 0, SAMPLE.length, mine)
                && other.compute(SAMPLE, 0, SAMPLE.length, theirs)
                && MessageDigest.isEqual(mine, theirs);
    }

    /** The SHA-256 digest of the key's bytes in hex, whatever its id and algorithm; also of a closed key. */
    String digest() {
        return material.digest;
    }

    /**
     * Whether both were made of the same bytes, whatever their ids and algorithms, and also where one is closed: for a key that leaked.
     *
     * @param other is compared by the SHA-256 digest of its bytes
     * @return {@code true} if who has the bytes of one has those of the other
     */
    public boolean hasSameBytesAs(HmacKey other) {
        return material.digest.equals(other.material.digest);
    }

    /** Overwrites the key: from now on it signs nothing and verifies nothing. Closing twice is the same as once. */
    @Override
    public void close() {
        material.closed = true;
        material.hmac.wipe();
    }

    /** As {@link Hmac#compute}; {@code false} if this key was closed. */
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

    /** Equality is identity, and neither key nor length is printed. */
    @Override
    public String toString() {
        return "HmacKey[" + algorithm + (id == null ? "]" : ", id=" + Objects.requireNonNull(id) + "]");
    }
}
