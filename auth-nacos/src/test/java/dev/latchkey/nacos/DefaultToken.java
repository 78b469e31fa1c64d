package dev.latchkey.nacos;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A token as the server's default plugin writes them, by HMAC-SHA-256: no type, a subject and an end. */
public final class DefaultToken {

    /** 32 random bytes in Base64; of these tests alone. */
    public static final String SECRET = "qk3b0f3bDgM7o0Cn1o2w0y0Vw9p9g9a9m4R5v5l5t5E=";

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private DefaultToken() {}

    public static String of(String subject, String secret, Instant end) {
        return withHeader("{\"alg\":\"HS256\"}", subject, secret, end);
    }

    public static String withHeader(String header, String subject, String secret, Instant end) {
        String text =
                encode(header) + "." + encode("{\"sub\":\"" + subject + "\",\"exp\":" + end.getEpochSecond() + "}");
        return text + "." + signature(secret, text);
    }

    /** Whether this key signed the token. */
    public static boolean isSignedBy(String secret, String token) {
        int end = token.lastIndexOf('.');
        return end > 0 && signature(secret, token.substring(0, end)).equals(token.substring(end + 1));
    }

    private static String signature(String secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
            return ENCODER.encodeToString(mac.doFinal(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String encode(String json) {
        return ENCODER.encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
