package dev.latchkey.auth.password.hash;

import java.util.Arrays;
import org.bouncycastle.crypto.generators.BCrypt;

/**
 * bcrypt by Bouncy Castle if present, which measures a tenth faster, otherwise by Spring Security.
 *
 * <p>Both receive at most {@value #MAX_PASSWORD_BYTES} bytes, bcrypt's limit; the caller decides about longer
 * passwords. The hash has 23 bytes, because every implementation drops the last of 24 bytes.
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

    /** A separate class, so that the JVM loads Bouncy Castle's classes only if present. */
    static final class ByBouncyCastle {

        private ByBouncyCastle() {}

        static byte[] hash(byte[] password, byte[] salt, int cost) {
            // The last argument adds the terminating zero of bcrypt's key, a C string, if there is space.
            byte[] hash = BCrypt.generate(password, salt, cost, true);
            return Arrays.copyOf(hash, HASH_BYTES);
        }
    }
}
