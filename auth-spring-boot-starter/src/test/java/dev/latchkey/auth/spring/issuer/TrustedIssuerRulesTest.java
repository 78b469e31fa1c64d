package dev.latchkey.auth.spring.issuer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.oauth2.jwt.SupplierJwtDecoder;

/** An issuer that is a bean with a decoder of Spring Security, on a clock of the test. */
class TrustedIssuerRulesTest {

    private static final String ISSUER = "https://partner.example.com";

    private final RSAKey key = IssuerServer.rsa(0, "key-1");
    private final Revocations store = new Revocations();
    private Instant now = Instant.parse("2026-11-21T12:00:00Z");
    private final AuthChain chain = chainWith(decoder());

    @Test
    void tokenWithoutAnIssueTime_isRejected_thoughSpringInventsOne() {
        String token = token(claims -> claims.issueTime(null).expirationTime(Date.from(now.plusSeconds(1))));
        assertThat(verdict(token))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("missing_claim"));
    }

    @Test
    void revocationOfAnActor_endsTheTokensOfTheActor() {
        String token = token(claims -> claims.claim("act", Map.of("sub", "support")));
        String other = token(claims -> claims.claim("act", Map.of("sub", "other")));
        chain.revokeAll("partner:support", now);
        assertThat(verdict(token))
                .isEqualTo(Rejected.because(RejectionReason.REVOKED).withDetail("subject"));
        assertThat(verdict(other)).isInstanceOf(Authenticated.class);
    }

    @Test
    void actor_isNotLost_besideManyAndLargeClaims() {
        UnaryOperator<JWTClaimsSet.Builder> many = claims -> {
            for (int i = 0; i < 32; i++) {
                claims.claim("c" + i, true);
            }
            return claims;
        };
        UnaryOperator<JWTClaimsSet.Builder> large =
                claims -> claims.claim("a", "x".repeat(2_000)).claim("b", "x".repeat(40));
        for (UnaryOperator<JWTClaimsSet.Builder> full : List.of(many, large)) {
            Authenticated login =
                    (Authenticated) verdict(token(claims -> full.apply(claims).claim("act", Map.of("sub", "support"))));
            assertThat(login.subject().actor()).contains("partner:support");
            assertThat(login.subject().isOwnLogin()).isFalse();
        }
    }

    @Test
    void logoutOfAnActor_countsForTheActor() {
        chain.revoke(BearerToken.of(token(claims -> claims.claim("act", Map.of("sub", "support")))));
        chain.revoke(BearerToken.of(token(claims -> claims.claim("act", "a text"))));
        chain.revoke(BearerToken.of(token(claims -> claims)));
        assertThat(store.accounts).containsExactly("partner:support", "partner:alice", "partner:alice");
    }

    @Test
    void decoderThatCannotStart_isAnOutage() {
        JwtDecoder decoder = new SupplierJwtDecoder(() -> {
            throw new IllegalArgumentException("The issuer does not answer");
        });
        AuthChain down = chainWith(decoder);
        assertThatThrownBy(() -> down.authenticate(BearerToken.of(token(claims -> claims))))
                .isInstanceOf(AuthUnavailableException.class)
                .hasMessageContaining("'partner'");
    }

    @Test
    void malformedClaim_isARejection_thoughSpringsCheckOfItFails() throws JOSEException {
        AuthChain checking =
                chainWith(NimbusJwtDecoder.withPublicKey(key.toRSAPublicKey()).build());
        now = Instant.now();
        assertThat(checking.authenticate(BearerToken.of(token(claims -> claims))))
                .isInstanceOf(Authenticated.class);
        for (Object confirmation : List.of("a text", Map.of("x5t#S256", 5))) {
            assertThat(checking.authenticate(BearerToken.of(token(claims -> claims.claim("cnf", confirmation)))))
                    .isEqualTo(Rejected.because(RejectionReason.MALFORMED).withDetail("ill_typed_claim"));
        }
    }

    @Test
    void decoderThatFails_isADefectOfTheService_andNoRejection() {
        AuthChain failing = chainWith(given -> {
            throw new IllegalStateException("The database of keys is down");
        });
        assertThatThrownBy(() -> failing.authenticate(BearerToken.of(token(claims -> claims))))
                .isInstanceOf(AuthPluginException.class);
    }

    @Test
    void decoderThatChecksTheProof_leavesTheClaimOut() {
        String token = token(claims -> claims.claim("cnf", Map.of("x5t#S256", "x")));
        JwtDecoder decoder = decoder();
        AuthChain checking = chainWith(given -> {
            Jwt jwt = decoder.decode(given);
            return Jwt.withTokenValue(given)
                    .headers(headers -> headers.putAll(jwt.getHeaders()))
                    .claims(claims -> claims.putAll(jwt.getClaims()))
                    .claims(claims -> claims.remove("cnf"))
                    .build();
        });
        assertThat(verdict(token))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("bound_to_key"));
        assertThat(checking.authenticate(BearerToken.of(token))).isInstanceOf(Authenticated.class);
    }

    @Test
    void login_endsWithTheToken_orAtTheLargestAge() {
        Instant issued = now;
        String shortLived = token(claims -> claims.expirationTime(Date.from(issued.plusSeconds(300))));
        String longLived = token(claims -> claims.expirationTime(Date.from(issued.plus(Duration.ofDays(60)))));
        assertThat(((Authenticated) verdict(shortLived)).validUntil()).isEqualTo(issued.plusSeconds(360));
        Instant end = ((Authenticated) verdict(longLived)).validUntil();
        assertThat(end).isEqualTo(issued.plus(Duration.ofDays(1)).plusMillis(1));
        now = end.minusMillis(1);
        assertThat(verdict(longLived)).isInstanceOf(Authenticated.class);
        now = end;
        assertThat(verdict(longLived))
                .isEqualTo(Rejected.because(RejectionReason.CREDENTIALS_EXPIRED).withDetail("too_old"));
    }

    @Test
    void secondLogout_isTheSameAsTheFirst_andStoresNothing() {
        BearerToken token = BearerToken.of(token(claims -> claims));
        assertThat(chain.revoke(token)).isTrue();
        assertThat(chain.revoke(token)).isTrue();
        assertThat(store.accounts).hasSize(1);
        assertThat(chain.revoke(BearerToken.of(token(claims -> claims.audience("billing")))))
                .isFalse();
    }

    /** With Spring's converter of claims, and without Spring's clock. */
    private JwtDecoder decoder() {
        try {
            NimbusJwtDecoder made =
                    NimbusJwtDecoder.withPublicKey(key.toRSAPublicKey()).build();
            made.setJwtValidator(jwt -> OAuth2TokenValidatorResult.success());
            return made;
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private AuthChain chainWith(JwtDecoder decoder) {
        AuthChain[] made = new AuthChain[1];
        TrustedIssuer issuer = TrustedIssuer.of("partner", ISSUER, "orders", decoder);
        made[0] = AuthChain.of(
                List.of(new TrustedIssuersPlugin(List.of(issuer), store, () -> made[0], () -> now)), () -> now);
        return made[0];
    }

    private Verdict verdict(String token) {
        return chain.authenticate(BearerToken.of(token));
    }

    private String token(UnaryOperator<JWTClaimsSet.Builder> more) {
        return IssuerServer.sign(
                key,
                more.apply(new JWTClaimsSet.Builder()
                                .issuer(ISSUER)
                                .subject("alice")
                                .audience("orders")
                                .issueTime(Date.from(now))
                                .expirationTime(Date.from(now.plusSeconds(300))))
                        .build());
    }

    /** Notes the account of each revoked token. */
    private final class Revocations implements RevocationStore {

        private final List<String> accounts = new ArrayList<>();
        private final InMemoryRevocationStore store = new InMemoryRevocationStore(Duration.ofDays(31), () -> now);

        @Override
        public void revokeToken(String tokenId, Instant expiresAt) {
            store.revokeToken(tokenId, expiresAt);
        }

        @Override
        public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
            accounts.add(subjectId);
            store.revokeTokenOf(subjectId, tokenId, expiresAt);
        }

        @Override
        public void revokeSubject(String subjectId, Instant notBefore) {
            store.revokeSubject(subjectId, notBefore);
        }

        @Override
        public Instant notBefore(String subjectId) {
            return store.notBefore(subjectId);
        }

        @Override
        public boolean isTokenRevoked(String tokenId) {
            return store.isTokenRevoked(tokenId);
        }
    }
}
