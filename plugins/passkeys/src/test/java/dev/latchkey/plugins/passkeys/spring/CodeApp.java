package dev.latchkey.plugins.passkeys.spring;

import com.eatthepath.otp.TimeBasedOneTimePasswordGenerator;
import dev.latchkey.auth.Secret;
import java.math.BigInteger;
import java.security.InvalidKeyException;
import java.time.Instant;
import javax.crypto.spec.SecretKeySpec;

/** An authenticator app for one-time codes. */
final class CodeApp {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private CodeApp() {}

    /** What the app shows now. */
    static Secret code(Secret key) {
        try {
            byte[] bytes = key.withText(CodeApp::decoded);
            return Secret.of(new TimeBasedOneTimePasswordGenerator()
                    .generateOneTimePasswordString(new SecretKeySpec(bytes, "HmacSHA1"), Instant.now()));
        } catch (InvalidKeyException e) {
            throw new AssertionError(e);
        }
    }

    /** Base32 of whole groups: the digits of one number, after a one as a guard of leading zeros. */
    private static byte[] decoded(CharSequence text) {
        BigInteger number = BigInteger.ONE;
        for (int i = 0; i < text.length(); i++) {
            number = number.shiftLeft(5).or(BigInteger.valueOf(ALPHABET.indexOf(text.charAt(i))));
        }
        byte[] all = number.toByteArray();
        byte[] bytes = new byte[all.length - 1];
        System.arraycopy(all, 1, bytes, 0, bytes.length);
        return bytes;
    }
}
