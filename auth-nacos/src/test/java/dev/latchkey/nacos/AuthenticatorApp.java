package dev.latchkey.nacos;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The app on the phone of an account's owner, with the secret of RFC 6238's examples. */
public final class AuthenticatorApp {

    /** As it is typed into the app, and written into the server's file. */
    public static final String SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    private static final byte[] KEY = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
    private static final int PERIOD_SECONDS = 30;

    private AuthenticatorApp() {}

    /** The code so many periods from now (RFC 4226 section 5.3). */
    public static String code(int periods) {
        return codeAt(Instant.now().getEpochSecond() / PERIOD_SECONDS + periods);
    }

    static String codeAt(long period) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(KEY, "HmacSHA1"));
            byte[] hash = mac.doFinal(ByteBuffer.allocate(8).putLong(period).array());
            int offset = hash[19] & 15;
            int number = ((hash[offset] & 127) << 24)
                    | ((hash[offset + 1] & 255) << 16)
                    | ((hash[offset + 2] & 255) << 8)
                    | (hash[offset + 3] & 255);
            return String.valueOf(1_000_000 + number % 1_000_000).substring(1);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA1", e);
        }
    }
}
