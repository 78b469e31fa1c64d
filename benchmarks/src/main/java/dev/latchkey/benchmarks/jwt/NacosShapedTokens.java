package dev.latchkey.benchmarks.jwt;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A signer and verifier of the shape that purpose-built ones have, the one in Nacos among them: a {@code Mac} obtained for each
 * call, {@code java.util.Base64}, a Jackson map for the claims, signatures compared as strings. Our own words, not its code.
 */
final class NacosShapedTokens implements TokenLibrary {

    private static final TypeReference<Map<String, Object>> CLAIMS = new TypeReference<>() {};

    private final ObjectMapper json = new ObjectMapper();
    private final Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    private final SecretKeySpec key;
    private final String header;
    private final Content content;

    NacosShapedTokens(Algorithm algorithm, byte[] key, Content content) {
        this.key = new SecretKeySpec(key, "Hmac" + algorithm.name().replace("HS", "SHA"));
        this.header = encoder.encodeToString(
                ("{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\"}").getBytes(StandardCharsets.UTF_8));
        this.content = content;
    }

    @Override
    public String create(Content content) throws GeneralSecurityException, IOException {
        long now = Instant.now().getEpochSecond();
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("sub", Content.SUBJECT);
        claims.put("iat", now);
        claims.put("exp", now + Content.LIFETIME.toSeconds());
        if (content.isFull()) {
            claims.put("iss", Content.ISSUER);
            claims.put("aud", Content.AUDIENCE);
            claims.put("nbf", now);
            claims.put("jti", Content.ID);
        }
        String signed = header + "." + encoder.encodeToString(json.writeValueAsBytes(claims));
        return signed + "." + signature(signed);
    }

    @Override
    public Map<String, Object> verify(String token) throws GeneralSecurityException, IOException {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3 || !parts[0].equals(header)) {
            throw new GeneralSecurityException("Not a token of ours");
        }
        if (!signature(parts[0] + "." + parts[1]).equals(parts[2])) {
            throw new GeneralSecurityException("The signature does not match");
        }
        Map<String, Object> claims = json.readValue(Base64.getUrlDecoder().decode(parts[1]), CLAIMS);
        long now = Instant.now().getEpochSecond();
        if (((Number) claims.get("exp")).longValue() <= now) {
            throw new GeneralSecurityException("The token has expired");
        }
        if (content.isFull()
                && !(Content.ISSUER.equals(claims.get("iss"))
                        && Content.AUDIENCE.equals(claims.get("aud"))
                        && ((Number) claims.get("nbf")).longValue() <= now)) {
            throw new GeneralSecurityException("The token is not for us, or not yet");
        }
        return claims;
    }

    @Override
    public String subjectOf(Object verified) {
        return (String) ((Map<?, ?>) verified).get("sub");
    }

    private String signature(String signed) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(key.getAlgorithm());
        mac.init(key);
        return encoder.encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
    }
}
