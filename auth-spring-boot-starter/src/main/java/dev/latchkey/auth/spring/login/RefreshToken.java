package dev.latchkey.auth.spring.login;

import dev.latchkey.auth.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * An opaque refresh token: 128 random bits that all tokens of one login share, then 256 of its own.
 *
 * <p>The shared part makes an old token recognisable: it still leads to its login, where another one is the good one by now. So the store keeps one
 * entry for a login, and no list of the tokens that were used. Both parts are random, so a plain SHA-256 hides them. Immutable; it never prints.
 */
public final class RefreshToken {

    private static final int FAMILY_BYTES = 16;
    private static final int BYTES = FAMILY_BYTES + 32;
    private static final int CHARS = BYTES * 4 / 3;

    /** Base64url (RFC 4648 section 5). The JDK's decoder is not used: its vectorised form has written out of bounds (JDK-8392044). */
    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private final byte[] bytes;

    private RefreshToken(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The first token of a new login. */
    static RefreshToken first(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new RefreshToken(bytes);
    }

    /** What makes the token that follows one; random, and useless without that one. */
    static String seed(SecureRandom random) {
        byte[] seed = new byte[BYTES - FAMILY_BYTES];
        random.nextBytes(seed);
        return TEXT.encodeToString(seed);
    }

    /**
     * The token of the same login that follows this one with this seed. Whoever has this token needs the seed as well. So two who present this one
     * are given the same token, and nothing usable is stored for it.
     */
    RefreshToken next(String seed) {
        byte[] next = Arrays.copyOf(bytes, BYTES);
        byte[] own = hmac(("next " + seed).getBytes(StandardCharsets.US_ASCII));
        System.arraycopy(own, 0, next, FAMILY_BYTES, own.length);
        return new RefreshToken(next);
    }

    /** Reads a token that was sent; empty for what has not the form of one. */
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
     * The token as it is sent, which is secret: it goes into one answer and nowhere else.
     *
     * @return 64 characters of Base64url
     */
    public String text() {
        return TEXT.encodeToString(bytes);
    }

    String familyId() {
        return TEXT.encodeToString(sha256(Arrays.copyOf(bytes, FAMILY_BYTES)));
    }

    String hash() {
        return TEXT.encodeToString(sha256(bytes));
    }

    /**
     * The account's stamp under this token as the key. The token's bearer can have it compared with a later one. To whoever reads the store it tells
     * nothing about a password hash.
     */
    String stampOf(Secret accountStamp) {
        return accountStamp.withBytes(stamp -> TEXT.encodeToString(hmac(stamp)));
    }

    private byte[] hmac(byte[] message) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    private static byte[] sha256(byte[] input) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(input);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "RefreshToken[****]";
    }
}
