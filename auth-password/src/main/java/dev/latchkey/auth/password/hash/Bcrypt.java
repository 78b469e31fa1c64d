package dev.latchkey.auth.password.hash;

import java.util.Arrays;
import org.bouncycastle.crypto.generators.BCrypt;

/**
 * The arithmetic of bcrypt: Bouncy Castle's where it is there, since it measures a tenth faster, else Spring Security's.
 *
 * <p>Both get at most the {@value #MAX_PASSWORD_BYTES} bytes that bcrypt can take; the caller decides what a longer password means. The hash has 23
 * bytes, since every implementation drops the last of the 24.
 */
final class Bcrypt {

    static final int MAX_PASSWORD_BYTES = 72;
    static final int HASH_BYTES = 23;

    private static final int SALT_CHARACTERS = 22;

    private Bcrypt() {}

    static byte[] hash(byte[] password, byte[] salt, int cost) {
        byte[] taken = password.length > MAX_PASSWORD_BYTES ? Arrays.copyOf(password, MAX_PASSWORD_BYTES) : password;
        return BouncyCastle.isPresent() ? ByBouncyCastle.hash(taken, salt, cost) : bySpring(taken, salt, cost);
    }

    static byte[] bySpring(byte[] password, byte[] salt, int cost) {
        String prefix = "$2b$" + (cost < 10 ? "0" : "") + cost + "$";
        String text = org.springframework.security.crypto.bcrypt.BCrypt.hashpw(
                password, prefix + Base64Alphabet.BCRYPT.encode(salt));
        byte[] hash = Base64Alphabet.BCRYPT.decode(text.substring(prefix.length() + SALT_CHARACTERS));
        if (hash == null) {
            throw new IllegalStateException("Spring Security's BCrypt no longer writes $2b$ as it did");
        }
        return hash;
    }

    /** A class of its own, so that without Bouncy Castle nobody loads it. */
    static final class ByBouncyCastle {

        private ByBouncyCastle() {}

        static byte[] hash(byte[] password, byte[] salt, int cost) {
            // The last argument adds the terminating zero of the C string that bcrypt's key is, where there is room for
            // it.
            byte[] hash = BCrypt.generate(password, salt, cost, true);
            return Arrays.copyOf(hash, HASH_BYTES);
        }
    }
}
