package dev.latchkey.auth.jwt;

import static dev.latchkey.auth.jwt.Forge.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JwtAuthPluginTest {

    private static final JwtClaims CLAIMS = JwtClaims.forSubject("alice", Duration.ofHours(1));

    /** The store asks the system's clock when a token may be forgotten, so the tokens here are dated by it too. */
    private final JwtSigner signer = JwtSigner.with(Forge.KEY);

    private final BearerToken valid =
            BearerToken.of(signer.sign(CLAIMS.withId("id-1").with("authorities", List.of("ROLE_A", "b"))));

    private static JwtAuthPlugin newPlugin() {
        return JwtAuthPlugin.of(JwtVerifier.with(Forge.KEY), new InMemoryRevocationStore(Duration.ofHours(1)));
    }

    private static Rejected rejected(JwtAuthPlugin plugin, String token) {
        return (Rejected) plugin.authenticate(BearerToken.of(token), RequestContext.none());
    }

    @Test
    void validToken_givesSubjectAuthoritiesAndExpiry() {
        String token = Forge.token(Forge.claims("\"sub\":\"alice\",\"authorities\":[\"ROLE_A\",\"ROLE_A\",\"b\"]"));
        JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), new InMemoryRevocationStore(Duration.ofHours(1)))
                .withName("tokens");
        assertThat(plugin.name()).isEqualTo("tokens");
        assertThat(plugin.authenticate(BearerToken.of(token), RequestContext.none()))
                .isEqualTo(
                        new Authenticated(Subject.of("alice").withAuthorities("ROLE_A", "b"), NOW.plusSeconds(3600)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"sub\":\"\"",
                "\"sub\":\" \"",
                "\"sub\":\"a\\u0000b\"",
                "\"sub\":\"a\",\"authorities\":[\" \"]",
                "\"sub\":\"a\",\"act\":{\"sub\":\"\"}"
            })
    void subjectThatCannotBeNamed_isRejected(String members) {
        JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), new InMemoryRevocationStore(Duration.ofHours(1)));
        assertThat(rejected(plugin, Forge.token(Forge.claims(members))))
                .isEqualTo(Rejected.because(RejectionReason.MALFORMED).withDetail("unusable_subject"));
    }

    @Test
    void actorBehindMoreClaimsThanASubjectHas_isNotLost() {
        JwtClaims many = CLAIMS;
        for (int i = 0; i < 32; i++) {
            many = many.with("c" + i, true);
        }
        for (JwtClaims full : List.of(many, CLAIMS.with("a", "x".repeat(2_047)))) {
            String token = signer.sign(full.with("act", Map.of("sub", "support")));
            Subject subject =
                    ((Authenticated) newPlugin().authenticate(BearerToken.of(token), RequestContext.none())).subject();
            assertThat(subject.actor()).contains("support");
            assertThat(subject.isOwnLogin()).isFalse();
        }
    }

    @Test
    void actorThatIsTooLongForAnId_isRejected() {
        String token = signer.sign(CLAIMS.with("act", Map.of("sub", "x".repeat(256))));
        assertThat(rejected(newPlugin(), token).reason()).isEqualTo(RejectionReason.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"ROLE_A\"", "[1]", "{}", "[[\"a\"]]"})
    void authoritiesThatAreNoListOfStrings_areRejected(String value) {
        JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), new InMemoryRevocationStore(Duration.ofHours(1)));
        assertThat(rejected(plugin, Forge.token(Forge.claims("\"sub\":\"a\",\"authorities\":" + value))))
                .isEqualTo(Rejected.because(RejectionReason.MALFORMED).withDetail("unusable_authorities"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"jkt\":\"x\"}", "{\"jkt\":null}", "{\"x5t#S256\":\"x\"}", "{}", "\"x\"", "[]"})
    void tokenBoundToAKey_isNoBearerToken(String confirmation) {
        JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), new InMemoryRevocationStore(Duration.ofHours(1)));
        String token = Forge.token(Forge.claims("\"sub\":\"a\",\"cnf\":" + confirmation));
        assertThat(plugin.authenticate(BearerToken.of(token), RequestContext.none()))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("bound_to_key"));
        assertThat(plugin.revoke(BearerToken.of(token))).isFalse();
    }

    @Test
    void defects_becomeReasons() {
        JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), new InMemoryRevocationStore(Duration.ofHours(1)));
        assertThat(rejected(plugin, Forge.token("{\"exp\":1}")))
                .isEqualTo(Rejected.because(RejectionReason.CREDENTIALS_EXPIRED).withDetail("expired"));
        assertThat(rejected(plugin, "a.b"))
                .isEqualTo(Rejected.because(RejectionReason.MALFORMED).withDetail("malformed"));
        assertThat(rejected(plugin, "a.b.c"))
                .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("bad_mac"));
    }

    @Test
    void revokedToken_leavesTheOthersOfItsSubject() {
        JwtAuthPlugin plugin = newPlugin();
        BearerToken other = BearerToken.of(signer.sign(CLAIMS.withId("other")));
        assertThat(plugin.revoke(valid)).isTrue();
        assertThat(plugin.authenticate(valid, RequestContext.none()))
                .isEqualTo(Rejected.because(RejectionReason.REVOKED).withDetail("token"));
        assertThat(plugin.authenticate(other, RequestContext.none())).isInstanceOf(Authenticated.class);
        BearerToken withoutId = BearerToken.of(signer.sign(CLAIMS));
        assertThat(plugin.authenticate(withoutId, RequestContext.none())).isInstanceOf(Authenticated.class);
        assertThat(plugin.revoke(withoutId)).isTrue();
        assertThat(plugin.authenticate(withoutId, RequestContext.none()))
                .isEqualTo(Rejected.because(RejectionReason.REVOKED).withDetail("token"));
        assertThat(plugin.authenticate(other, RequestContext.none())).isInstanceOf(Authenticated.class);
    }

    @Test
    void revokedTokenWithinTheSkew_staysRevoked() {
        InMemoryRevocationStore store = new InMemoryRevocationStore(Duration.ofHours(1));
        JwtAuthPlugin plugin = JwtAuthPlugin.of(JwtVerifier.with(Forge.KEY).withSkew(Duration.ofMinutes(5)), store);
        InstantSource past = () -> InstantSource.system().instant().minusSeconds(60);
        BearerToken expired = BearerToken.of(JwtSigner.with(Forge.KEY)
                .withTimeSource(past)
                .sign(JwtClaims.forSubject("a", Duration.ofSeconds(30)).withId("x")));
        assertThat(plugin.authenticate(expired, RequestContext.none())).isInstanceOf(Authenticated.class);
        assertThat(plugin.revoke(expired)).isTrue();
        assertThat(plugin.authenticate(expired, RequestContext.none())).isInstanceOf(Rejected.class);
    }

    @Test
    void verdict_isGoodExactlyAsLongAsTheVerifierAcceptsTheToken() {
        List<JwtVerifier> verifiers = List.of(
                Forge.verifier(),
                Forge.verifier().withSkew(Duration.ofSeconds(30)),
                Forge.verifier().withMaxAge(Duration.ofSeconds(100)),
                Forge.verifier().withMaxAge(Duration.ofSeconds(100)).withSkew(Duration.ofSeconds(30)),
                Forge.verifier().withMaxAge(Duration.ofDays(1)).withSkew(Duration.ofSeconds(30)));
        for (String expiry : List.of("1800000300", "1800000300.25", "1800000300.2500001", "18000003e2")) {
            for (String issuedAt : List.of("1800000000", "1799999990.5", "1799999990.5000001")) {
                String token = Forge.token("{\"sub\":\"a\",\"iat\":" + issuedAt + ",\"exp\":" + expiry + "}");
                for (JwtVerifier verifier : verifiers) {
                    Instant end = ((Authenticated)
                                    pluginOf(verifier).authenticate(BearerToken.of(token), RequestContext.none()))
                            .validUntil();
                    assertThat(chainAt(end.minusNanos(1), verifier).authenticate(BearerToken.of(token)))
                            .as("%s %s until %s", expiry, issuedAt, end)
                            .isInstanceOf(Authenticated.class);
                    JwtVerifier atTheEnd = verifier.withTimeSource(InstantSource.fixed(end));
                    assertThat(atTheEnd.verify(token).verified())
                            .as("%s %s until %s", expiry, issuedAt, end)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void verdict_endsWithTheKeyOfTheToken() {
        String token = Forge.token(Forge.claims("\"sub\":\"a\""));
        JwtVerifier verifier = verifierUntil(NOW.plusSeconds(60).plusNanos(500_000));
        Instant end = ((Authenticated) pluginOf(verifier).authenticate(BearerToken.of(token), RequestContext.none()))
                .validUntil();
        assertThat(chainAt(end.minusNanos(1), verifier).authenticate(BearerToken.of(token)))
                .isInstanceOf(Authenticated.class);
        assertThat(verifier.withTimeSource(InstantSource.fixed(end))
                        .verify(token)
                        .verified())
                .isEmpty();
    }

    private static JwtVerifier verifierUntil(Instant endOfTheKey) {
        KeyRing ring =
                KeyRing.of(HmacKey.generate(HmacAlgorithm.HS256).withId("next")).alsoVerifying(Forge.KEY, endOfTheKey);
        return JwtVerifier.with(RotatingKeys.startingWith(ring)).withTimeSource(Forge.CLOCK);
    }

    @Test
    void tokenThatNeverEnds_hasAVerdictThatNeverEnds() {
        JwtVerifier verifier = Forge.verifier().acceptingTokensWithoutExpiry();
        String token = Forge.token("{\"sub\":\"a\",\"iat\":1800000000}");
        assertThat(pluginOf(verifier).authenticate(BearerToken.of(token), RequestContext.none()))
                .isEqualTo(Authenticated.as(Subject.of("a")));
        assertThat(pluginOf(verifier.withMaxAge(Duration.ofSeconds(100)))
                        .authenticate(BearerToken.of(token), RequestContext.none()))
                .isEqualTo(
                        new Authenticated(Subject.of("a"), NOW.plusSeconds(100).plusMillis(1)));
    }

    private static JwtAuthPlugin pluginOf(JwtVerifier verifier) {
        return JwtAuthPlugin.of(verifier, new InMemoryRevocationStore(Duration.ofHours(1)));
    }

    private static AuthChain chainAt(Instant now, JwtVerifier verifier) {
        InstantSource clock = InstantSource.fixed(now);
        return AuthChain.of(List.of(pluginOf(verifier.withTimeSource(clock))), clock);
    }

    /** A token from a node with a fast clock is invalid until its time, so the token outlives no revocation. */
    @Test
    void tokenDatedInTheFuture_isRefusedBeforeAndAfterItsSubjectIsRevoked() {
        for (Duration skew : List.of(Duration.ZERO, Duration.ofSeconds(30))) {
            long latest = NOW.getEpochSecond() + Math.max(1, skew.toSeconds());
            JwtAuthPlugin plugin = pluginOf(Forge.verifier().withSkew(skew));
            BearerToken justInTime = BearerToken.of(Forge.token(Forge.claims("\"sub\":\"a\",\"iat\":" + latest)));
            BearerToken ahead = BearerToken.of(Forge.token(Forge.claims("\"sub\":\"a\",\"iat\":" + (latest + 1))));
            BearerToken farAhead =
                    BearerToken.of(Forge.token(Forge.claims("\"sub\":\"a\",\"iat\":" + (latest + 3000))));
            assertThat(plugin.authenticate(justInTime, RequestContext.none())).isInstanceOf(Authenticated.class);
            for (int i = 0; i < 2; i++) {
                for (BearerToken token : List.of(ahead, farAhead)) {
                    assertThat(plugin.authenticate(token, RequestContext.none()))
                            .isEqualTo(Rejected.because(RejectionReason.BAD_CREDENTIALS)
                                    .withDetail("not_yet_valid"));
                }
                plugin.revokeAll("a", NOW);
            }
        }
    }

    @Test
    void revokedSubject_losesEarlierTokens_andKeepsLaterTokens() {
        InMemoryRevocationStore store = new InMemoryRevocationStore(Duration.ofHours(1));
        JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), store);
        assertThat(plugin.revokeAll("a", NOW)).isTrue();
        long bound = store.notBefore("a").getEpochSecond();
        assertThat(plugin.isRevoked("a", NOW)).isTrue();
        assertThat(plugin.isRevoked("a", Instant.ofEpochSecond(bound))).isFalse();
        assertThat(rejected(plugin, Forge.token(Forge.claims("\"sub\":\"a\",\"iat\":" + (bound - 1)))))
                .isEqualTo(Rejected.because(RejectionReason.REVOKED).withDetail("subject"));
        assertThat(plugin.authenticate(
                        BearerToken.of(Forge.token(Forge.claims("\"sub\":\"a\",\"iat\":" + bound))),
                        RequestContext.none()))
                .isInstanceOf(Authenticated.class);
        assertThat(plugin.authenticate(
                        BearerToken.of(Forge.token(Forge.claims("\"sub\":\"b\",\"iat\":1"))), RequestContext.none()))
                .isInstanceOf(Authenticated.class);
    }

    @Test
    void revokedToken_takesTheRoomOfItsSubject_andNotThatOfAll() {
        List<String> revoked = new ArrayList<>();
        RevocationStore store = new RevocationStore() {
            @Override
            public void revokeToken(String tokenId, Instant expiresAt) {
                revoked.add(tokenId);
            }

            @Override
            public void revokeTokenOf(String subjectId, String tokenId, Instant expiresAt) {
                revoked.add(tokenId + " of " + subjectId + " until " + expiresAt);
            }

            @Override
            public void revokeSubject(String subjectId, Instant notBefore) {}

            @Override
            public Instant notBefore(String subjectId) {
                return Instant.MIN;
            }

            @Override
            public boolean isTokenRevoked(String tokenId) {
                return false;
            }
        };
        // A later ring may verify with the key for longer, so the end of the key does not end the entry.
        JwtAuthPlugin plugin = JwtAuthPlugin.of(verifierUntil(NOW.plusSeconds(60)), store);
        assertThat(plugin.revoke(BearerToken.of(Forge.token(Forge.claims("\"sub\":\"a\",\"jti\":\"1\"")))))
                .isTrue();
        assertThat(plugin.revoke(BearerToken.of(Forge.token(Forge.claims("\"jti\":\"2\"")))))
                .isTrue();
        assertThat(revoked).containsExactly("1 of a until " + NOW.plusSeconds(3600), "2");
    }

    @Test
    void revokedToken_isNotRecordedAgain() {
        List<String> recorded = new ArrayList<>();
        InMemoryRevocationStore store = new InMemoryRevocationStore(Duration.ofHours(1));
        JwtAuthPlugin plugin = JwtAuthPlugin.of(JwtVerifier.with(Forge.KEY), new RevocationStore() {
            @Override
            public void revokeToken(String tokenId, Instant expiresAt) {
                recorded.add(tokenId);
                store.revokeToken(tokenId, expiresAt);
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
        });
        assertThat(plugin.revoke(valid)).isTrue();
        assertThat(plugin.revoke(valid)).as("revoked before").isTrue();
        assertThat(recorded).hasSize(1);
    }

    @Test
    void tokenWithoutIssueTime_isRefusedOnceItsSubjectHasARevocation() {
        JwtAuthPlugin plugin = JwtAuthPlugin.of(Forge.verifier(), new InMemoryRevocationStore(Duration.ofHours(1)));
        String token = Forge.token(Forge.claims("\"sub\":\"a\""));
        assertThat(plugin.authenticate(BearerToken.of(token), RequestContext.none()))
                .isInstanceOf(Authenticated.class);
        plugin.revokeAll("a", NOW.minusSeconds(1_000_000));
        assertThat(rejected(plugin, token).reason()).isEqualTo(RejectionReason.REVOKED);
    }

    @Test
    void tokensOfOneSession_areRevokedTogether_andASessionOfAnotherTypeIsNone() {
        InMemoryRevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
        JwtAuthPlugin plugin = JwtAuthPlugin.of(JwtVerifier.with(Forge.KEY), revocations);
        revocations.revokeToken("s1", Instant.now().plusSeconds(60));
        Rejected revoked = Rejected.because(RejectionReason.REVOKED).withDetail("token");
        assertThat(rejected(plugin, signer.sign(CLAIMS.withId("1").with("sid", "s1"))))
                .isEqualTo(revoked);
        assertThat(rejected(plugin, signer.sign(CLAIMS.with("sid", "s1")))).isEqualTo(revoked);
        for (Object other : List.of("s2", 1, List.of("s1"))) {
            assertThat(plugin.authenticate(
                            BearerToken.of(signer.sign(CLAIMS.with("sid", other))), RequestContext.none()))
                    .isInstanceOf(Authenticated.class);
        }
    }
}
