package dev.latchkey.benchmarks.load.token;

import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The good token of all variants, and the bad tokens. */
public final class RequestTokens {

    /** In Base64, of 32 bytes, so the tokens are HS256. No secret: nothing but the benchmark trusts this key. */
    static final String KEY = encoded("a key of this benchmark's own, 32");

    private static final String OTHER_KEY = encoded("some other key, of 32 bytes as is");

    private static final Duration LIFETIME = Duration.ofHours(5);

    private RequestTokens() {}

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.substring(0, 32).getBytes(StandardCharsets.US_ASCII));
    }

    /** As a login of the starter issues the token. */
    public static String good() {
        return signed(KEY, Instant.now());
    }

    /** By their defects. */
    static Map<String, String> bad() {
        String good = good();
        int signature = good.lastIndexOf('.') + 1;
        Map<String, String> bad = new LinkedHashMap<>();
        bad.put("expired", signed(KEY, Instant.now().minus(LIFETIME).minus(Duration.ofDays(1))));
        bad.put("of another key", signed(OTHER_KEY, Instant.now()));
        bad.put(
                "with another signature",
                good.substring(0, signature)
                        + (good.charAt(signature) == 'A' ? 'B' : 'A')
                        + good.substring(signature + 1));
        bad.put("without a signature", unsigned(good));
        bad.put("that is none", "nonsense");
        return bad;
    }

    private static String signed(String key, Instant issuedAt) {
        try (HmacKey shared = HmacKey.of(Base64.getDecoder().decode(key))) {
            return JwtSigner.with(shared)
                    .withGeneratedIds()
                    .sign(JwtClaims.forSubject("alice", LIFETIME)
                            .withIssuedAt(issuedAt)
                            .with("authorities", List.of("ROLE_USER")));
        }
    }

    private static String unsigned(String token) {
        String header = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.US_ASCII));
        return header + token.substring(token.indexOf('.'), token.lastIndexOf('.') + 1);
    }
}
