package dev.latchkey.auth.store;

import dev.latchkey.auth.engine.Sha256;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;

/**
 * The form of an id in shared stores: the first 16 bytes of SHA-256 over the kind, a colon, and the id in UTF-8.
 *
 * <p>Any id fits a short column, whatever its characters, and no collation treats two ids as equal. The digest has no
 * key: nodes would have to share the key and keep the key beyond each rotation. With a lost key, revoked tokens would
 * be valid again. The ids of tokens and sessions are random, so their digests reveal nothing. A subject's name can be
 * guessed and compared: a reader of the table learns that a known name was revoked, and no more.
 *
 * <p>Two ids with the same digest would be revoked together. Finding such a pair takes 2^64 digests, and only revokes
 * the finder's own ids.
 *
 * @param high the first eight bytes
 * @param low the second eight bytes
 */
public record IdDigest(long high, long low) {

    /** The length in bytes. */
    public static final int BYTES = 16;

    /**
     * The digest of an id.
     *
     * @param kind of the id, such as {@code token}; without a colon
     * @param id any text, of any length; cannot be computed from the digest, but guessed
     * @return the first 16 bytes of SHA-256 over the kind, a colon and the id in UTF-8
     * @throws IllegalArgumentException if the id contains half of a surrogate pair
     */
    public static IdDigest of(String kind, String id) {
        Objects.requireNonNull(id, "id");
        MessageDigest digest = Sha256.start();
        digest.update((kind + ':').getBytes(StandardCharsets.US_ASCII));
        digest.update(utf8(id));
        return of(digest.digest());
    }

    /**
     * The digest of a token's id.
     *
     * @param tokenId the token's {@code jti}, or the {@code sid} of a session
     * @return a digest different from all subjects' digests
     */
    public static IdDigest ofToken(String tokenId) {
        return of("token", tokenId);
    }

    /**
     * The digest of a subject's id.
     *
     * @param subjectId {@link dev.latchkey.auth.Subject#id()}
     * @return a digest different from all tokens' digests
     */
    public static IdDigest ofSubject(String subjectId) {
        return of("subject", subjectId);
    }

    /**
     * The digest of a session's id.
     *
     * @param loginId {@link StoredLogin#id()}
     * @return for the row or key of the session
     */
    public static IdDigest ofLogin(String loginId) {
        return of("login", loginId);
    }

    /**
     * The digest of the account of sessions.
     *
     * @param subjectId {@link StoredLogin#subjectId()}
     * @return for the list of the account's sessions
     */
    public static IdDigest ofOwner(String subjectId) {
        return of("owner", subjectId);
    }

    /**
     * The digest with these bytes.
     *
     * @param bytes at least 16; the first 16 are copied
     * @return equal to the digest with these {@link #bytes()}
     */
    public static IdDigest of(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, BYTES);
        return new IdDigest(buffer.getLong(), buffer.getLong());
    }

    /**
     * The bytes, for a column or a key of a store.
     *
     * @return 16 bytes; a copy at each call
     */
    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /** Strict encoding, because a replacement character would give two ids the same digest. */
    private static ByteBuffer utf8(String id) {
        try {
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(id));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("An id must be text, and this one has one half of a surrogate pair");
        }
    }
}
