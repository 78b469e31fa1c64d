package dev.latchkey.auth.store;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * An id as stores that nodes share keep it: the first 16 bytes of SHA-256 over its kind, a colon, and its UTF-8.
 *
 * <p>So any id fits one short column, whatever characters it has, and no collation takes two for one. The digest has no key: nodes would
 * have to share that and keep it beyond each rotation, and with a lost key what was revoked would be good again. The ids of tokens and
 * logins are random, so nobody finds them from their digests. A subject's name can be guessed and compared: who reads the table learns
 * that somebody whose name he knows was revoked, and no more.
 *
 * <p>Two ids of one digest would be revoked together. To find such a pair takes 2^64 digests, and revokes what its finder has.
 *
 * @param high the first eight bytes
 * @param low the second eight bytes
 */
public record IdDigest(long high, long low) {

    /** How many bytes it has. */
    public static final int BYTES = 16;

    /**
     * The digest of an id.
     *
     * @param kind of which kind it is, such as {@code token}: without a colon
     * @param id any text, of any length; it cannot be computed back, but guessed
     * @return the first 16 bytes of SHA-256 over the kind, a colon and the id in UTF-8
     * @throws IllegalArgumentException if the id is no text: it has one half of a surrogate pair
     */
    public static IdDigest of(String kind, String id) {
        Objects.requireNonNull(id, "id");
        MessageDigest digest = sha256();
        digest.update((kind + ':').getBytes(StandardCharsets.US_ASCII));
        digest.update(utf8(id));
        return of(digest.digest());
    }

    /**
     * The digest of a token's id.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of a login
     * @return a digest that no subject has
     */
    public static IdDigest ofToken(String tokenId) {
        return of("token", tokenId);
    }

    /**
     * The digest of a subject's id.
     *
     * @param subjectId {@link dev.latchkey.auth.Subject#id()}
     * @return a digest that no token has
     */
    public static IdDigest ofSubject(String subjectId) {
        return of("subject", subjectId);
    }

    /**
     * The digest that begins with these bytes.
     *
     * @param bytes 16 at least, of which the first 16 are copied
     * @return a digest equal to that which they were taken from
     */
    public static IdDigest of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, BYTES);
        return new IdDigest(buffer.getLong(), buffer.getLong());
    }

    /**
     * Its bytes, for a column or a key of a store.
     *
     * @return 16 bytes; a copy at each call
     */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /** Strictly, since a replaced character would make one id of two. */
    private static ByteBuffer utf8(String id) {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(id));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("An id must be text, and this one has one half of a surrogate pair");
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
