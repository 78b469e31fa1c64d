package dev.latchkey.nacos;

import dev.latchkey.auth.engine.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;

/**
 * Binds a token to the password at its issue: a MAC of the user's name with the stored hash as key.
 *
 * <p>The mark changes with the stored hash. Therefore a token expires on each node when the node reads the new hash,
 * without a store of revoked tokens. A reader of the mark learns nothing about the hash: the salt of a bcrypt hash has
 * 128 random bits, a key that cannot be guessed.
 */
final class PasswordMark {

    /** The token's claim. */
    static final String CLAIM = "pwm";

    private static final byte[] LABEL = "latchkey nacos 1".getBytes(StandardCharsets.US_ASCII);
    private static final int BYTES = 16;

    private PasswordMark() {}

    /** The mark of this user for this stored hash. */
    static String of(String username, String storedHash) {
        Mac mac = Sha256.startHmac(storedHash.getBytes(StandardCharsets.UTF_8));
        mac.update(LABEL);
        byte[] mark = mac.doFinal(username.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(mark, BYTES));
    }

    /** Whether the mark belongs to this user and this hash; compared in constant time. */
    static boolean matches(String mark, String username, String storedHash) {
        return !storedHash.isEmpty() && areEqual(mark, of(username, storedHash));
    }

    /** Whether both marks are the same; compared in constant time. */
    static boolean areEqual(String mark, String other) {
        return MessageDigest.isEqual(mark.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
