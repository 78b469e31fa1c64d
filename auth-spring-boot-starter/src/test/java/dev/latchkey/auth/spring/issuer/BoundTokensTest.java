package dev.latchkey.auth.spring.issuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

import com.nimbusds.jose.JOSEException;
import dev.latchkey.auth.jwt.HmacKey;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtSigner;
import dev.latchkey.auth.jwt.JwtVerifier;
import dev.latchkey.auth.spring.Services;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.test.web.servlet.MockMvc;

/** A thief of a token that is bound to a key (RFC 7800) sends the token as a bearer token, without the key. */
class BoundTokensTest {

    private static final String PARTNER = "https://partner.example.com";

    /** For DPoP (RFC 9449), for TLS (RFC 8705), for other proofs, and malformed. */
    private static final List<Object> CONFIRMATIONS = List.of(
            Map.of("jkt", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"),
            Map.of("x5t#S256", "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2"),
            Map.of("jwk", Map.of("kty", "EC")),
            Map.of("kid", "1"),
            Map.of(),
            List.of(),
            "a text");

    private final IssuerServer keycloak = new IssuerServer(0, "https://id.example.test/realms/shop");

    @AfterEach
    void stop() {
        keycloak.close();
    }

    @Test
    void boundToken_isNoBearerToken_whoeverIssuedIt() {
        Services.web()
                .withUserConfiguration(Services.Accounts.class)
                .withPropertyValues("latchkey.jwt.secret=" + Services.KEY, "latchkey.login.enabled=true")
                .withPropertyValues(keycloak.settings("keycloak"))
                .withBean(TrustedIssuer.class, this::partner)
                .withBean(JwtVerifier.class, () -> JwtVerifier.with(HmacKey.ofBase64(Services.KEY)))
                .run(context -> {
                    MockMvc mvc = Services.mvc(context);
                    JwtSigner signer = context.getBean(JwtSigner.class);
                    JwtClaims own = JwtClaims.forSubject("alice", Duration.ofMinutes(5));
                    assertThat(hello(mvc, signer.sign(own))).isEqualTo(200);
                    assertThat(hello(mvc, keycloak.token("alice"))).isEqualTo(200);
                    assertThat(hello(mvc, keycloak.token("alice", all -> all.issuer(PARTNER))))
                            .isEqualTo(200);
                    for (Object cnf : CONFIRMATIONS) {
                        assertThat(hello(mvc, signer.sign(own.with("cnf", cnf))))
                                .as("own, %s", cnf)
                                .isEqualTo(401);
                        assertThat(hello(mvc, keycloak.token("alice", all -> all.claim("cnf", cnf))))
                                .as("settings, %s", cnf)
                                .isEqualTo(401);
                        assertThat(hello(
                                        mvc,
                                        keycloak.token(
                                                "alice",
                                                all -> all.issuer(PARTNER).claim("cnf", cnf))))
                                .as("bean, %s", cnf)
                                .isEqualTo(401);
                    }
                });
    }

    /** With Spring's default checks. */
    private TrustedIssuer partner() {
        try {
            return TrustedIssuer.of(
                    "partner",
                    PARTNER,
                    "orders",
                    NimbusJwtDecoder.withPublicKey(keycloak.key.toRSAPublicKey())
                            .build());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int hello(MockMvc mvc, String token) throws Exception {
        return mvc.perform(get("/hello").header("Authorization", "Bearer " + token))
                .andReturn()
                .getResponse()
                .getStatus();
    }
}
