package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * An opaque refresh token: 128 random bits, shared by all tokens of a session, and 256 bits of this token alone.
 *
 * <p>With the shared part, the store finds the session of an old token too. So the store keeps a single entry for a session,
 * without a list of used tokens. Neither part can be guessed, so plain SHA-256 hides both. Immutable; {@link #toString} does not
 * print the value.
 */
public final class RefreshToken {

    private static final int SESSION_BYTES = 16;
    private static final int BYTES = SESSION_BYTES + 32;
    private static final int CHARS = BYTES * 4 / 3;
    private static final int SESSION_ID_CHARS = 43;

    /**
     * Base64url (RFC 4648 section 5). The JDK's decoder is not used, because its vectorised form has written out of bounds
     * (JDK-8392044).
     */
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final byte[] bytes;

    private RefreshToken(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The first token of a new session. */
    static RefreshToken first(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new RefreshToken(bytes);
    }

    /** The random seed for the next token, useless without the present token. */
    static String seed(SecureRandom random) {
        byte[] seed = new byte[BYTES - SESSION_BYTES];
        random.nextBytes(seed);
        return TEXT.encodeToString(seed);
    }

    /**
     * The next token of the same session, derived from this token and the seed. Both values are necessary. So two clients with
     * this token get the same next token, and the store contains no usable token.
     */
    RefreshToken next(String seed) {
        byte[] next = Arrays.copyOf(bytes, BYTES);
        byte[] own = Sha256.startHmac(bytes).doFinal(("next " + seed).getBytes(StandardCharsets.US_ASCII));
        System.arraycopy(own, 0, next, SESSION_BYTES, own.length);
        return new RefreshToken(next);
    }

    /** Reads a token; empty for text in any other form. */
    static Optional<RefreshToken> parse(String text) {
        if (text.length() != CHARS) {
            return Optional.empty();
        }
        byte[] bytes = new byte[BYTES];
        int bits = 0;
        for (int i = 0; i < CHARS; i++) {
            int sextet = ALPHABET.indexOf(text.charAt(i));
            if (sextet < 0) {
                return Optional.empty();
            }
            bits = (bits << 6) | sextet;
            if (i % 4 == 3) {
                int at = i / 4 * 3;
                bytes[at] = (byte) (bits >>> 16);
                bytes[at + 1] = (byte) (bits >>> 8);
                bytes[at + 2] = (byte) bits;
                bits = 0;
            }
        }
        return Optional.of(new RefreshToken(bytes));
    }

    /**
     * The token for the answer. Secret: write the value into the answer only.
     *
     * @return 64 characters of Base64url
     */
    public String text() {
        return TEXT.encodeToString(bytes);
    }

    /** Whether this text has the length of {@link #sessionId}. The id of an access token has another length. */
    static boolean isSessionId(String text) {
        return text.length() == SESSION_ID_CHARS;
    }

    String sessionId() {
        return TEXT.encodeToString(Sha256.of(Arrays.copyOf(bytes, SESSION_BYTES)));
    }

    String hash() {
        return TEXT.encodeToString(Sha256.of(bytes));
    }

    /**
     * The HMAC of the account's stamp and the client's id, with this token as the key. At a refresh, the HMAC of the present
     * stamp must equal the stored HMAC. A reader of the store learns nothing about a password hash.
     */
    String stampOf(Secret accountStamp, String client) {
        return accountStamp.withBytes(
                stamp -> TEXT.encodeToString(Sha256.startHmac(bytes).doFinal(withClient(stamp, client))));
    }

    /** Compares in constant time. */
    boolean hasHash(String stored) {
        return isSame(hash(), stored);
    }

    /** Compares two texts of ASCII in constant time. */
    static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.US_ASCII), other.getBytes(StandardCharsets.US_ASCII));
    }

    /** The digest of a client's id has a fixed length, so two clients never have the same bytes. */
    private static byte[] withClient(byte[] stamp, String client) {
        if (client.isEmpty()) {
            return stamp;
        }
        byte[] id = Sha256.of(client.getBytes(StandardCharsets.UTF_8));
        byte[] both = Arrays.copyOf(id, id.length + stamp.length);
        System.arraycopy(stamp, 0, both, id.length, stamp.length);
        return both;
    }

    @Override
    public String toString() {
        return "RefreshToken[****]";
    }
}
