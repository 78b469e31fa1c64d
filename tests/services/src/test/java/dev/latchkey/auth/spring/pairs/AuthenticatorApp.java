package dev.latchkey.auth.spring.pairs;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.time.Instant;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What an authenticator app shows for a secret (RFC 6238). */
final class AuthenticatorApp {

    private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private AuthenticatorApp() {}

    static String codeOf(CharSequence secret, Instant now) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(decoded(secret), "HmacSHA1"));
            byte[] hash = mac.doFinal(ByteBuffer.allocate(Long.BYTES)
                    .putLong(now.getEpochSecond() / 30)
                    .array());
            int at = hash[hash.length - 1] & 0xF;
            return "%06d".formatted((ByteBuffer.wrap(hash).getInt(at) & Integer.MAX_VALUE) % 1_000_000);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] decoded(CharSequence text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int pending = 0;
        int bits = 0;
        for (int i = 0; i < text.length(); i++) {
            pending = (pending << 5 | ALPHABET.indexOf(text.charAt(i))) & 0xFFFF;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                bytes.write(pending >> bits);
            }
        }
        return bytes.toByteArray();
    }
}
