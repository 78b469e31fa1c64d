package dev.latchkey.auth.spring.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.jwt.HmacAlgorithm;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtVerifier;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.Jwt;

/** Claims of a verified token as a resource server reads them. */
class SpringJwtsTest {

    private static final byte[] KEY = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);
    private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);

    @Test
    void dates_areInstants_alsoAmongTheClaims() throws GeneralSecurityException {
        Jwt jwt = read("{\"sub\":\"alice\",\"exp\":1800000060,\"iat\":1799999990,\"nbf\":1799999980}");
        assertThat(jwt.getClaims())
                .containsEntry("exp", NOW.plusSeconds(60))
                .containsEntry("iat", NOW.minusSeconds(10))
                .containsEntry("nbf", NOW.minusSeconds(20));
        assertThat(jwt.getIssuedAt()).isEqualTo(NOW.minusSeconds(10));
        assertThat(jwt.getExpiresAt()).isEqualTo(NOW.plusSeconds(60));
    }

    @Test
    void datesThatTheTokenLacks_areNoClaims() throws GeneralSecurityException {
        assertThat(read("{\"sub\":\"alice\",\"exp\":1800000060}").getClaims()).containsOnlyKeys("sub", "exp");
    }

    @Test
    void audience_isAList_alsoForASingleText() throws GeneralSecurityException {
        assertThat(read("{\"exp\":1800000060,\"aud\":\"shop\"}", verifier().expectingAudience("shop"))
                        .getClaims())
                .containsEntry("aud", List.of("shop"));
    }

    @Test
    void nullMembers_areLeftOut_andWithinObjectsAndListsTheyAreNull() throws GeneralSecurityException {
        Jwt jwt = read("{\"exp\":1800000060,\"gone\":null,\"realm\":{\"roles\":[\"a\",null],\"none\":null}}");
        assertThat(jwt.getClaims()).containsOnlyKeys("exp", "realm");
        Map<String, Object> realm = jwt.getClaimAsMap("realm");
        assertThat(realm).containsEntry("roles", Arrays.asList("a", null));
        assertThat(realm).containsAllEntriesOf(Collections.singletonMap("none", null));
    }

    @Test
    void header_andText_areThoseOfTheToken() throws GeneralSecurityException {
        String token = token("{\"exp\":1800000060}");
        Jwt jwt = read("{\"exp\":1800000060}");
        assertThat(jwt.getTokenValue()).isEqualTo(token);
        assertThat(jwt.getHeaders()).isEqualTo(Map.of("alg", "HS256", "typ", "JWT"));
    }

    private static Jwt read(String claims) throws GeneralSecurityException {
        return read(claims, verifier());
    }

    private static Jwt read(String claims, JwtVerifier verifier) throws GeneralSecurityException {
        String token = token(claims);
        return SpringJwts.of(token, verifier.verify(token).verified().orElseThrow());
    }

    private static JwtVerifier verifier() {
        return JwtVerifier.with(HmacKey.of(KEY, HmacAlgorithm.HS256)).withTimeSource(() -> NOW);
    }

    /** Signed by the JDK, since the signer of auth-jwt writes no null. */
    private static String token(String claims) throws GeneralSecurityException {
        String signed = base64("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + base64(claims.getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
        return signed + "." + base64(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
