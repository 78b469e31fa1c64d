package dev.latchkey.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.github.benmanes.caffeine.cache.Ticker;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Rejected;
import dev.latchkey.nacos.oidc.Issuer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access tokens of an issuer beside the server's users. */
final class OidcTokensTest {

    private final Issuer issuer = Issuer.start();
    private final FakeUsers users = new FakeUsers().with("nacos", PluginParts.BCRYPT.encode("right-password"));
    private final FakeRoles roles = new FakeRoles();
    private final Map<String, String> own = new HashMap<>(Map.of(
            "sources", "users,oidc",
            "plugin.oidc.issuer", issuer.url(),
            "plugin.oidc.audience", Issuer.AUDIENCE,
            "plugin.oidc.authorities-claims", "scope,realm_access.roles",
            "plugin.oidc.claims", "team=org.team",
            "role.readers", "oidc:SCOPE_config.read",
            "role.operators", "oidc:nacos-operator",
            "role.cashiers", "oidc:team=payments"));
    private PluginParts parts = parts();

    @AfterEach
    void close() {
        parts.close();
        issuer.close();
    }

    @Test
    void token_isItsSubjectUnderTheNameOfTheSource_withTheRolesOfItsClaims() {
        LatchkeyUser orders = userOf(issuer.token(
                        "orders",
                        claims -> claims.claim("scope", "openid config.read")
                                .claim("realm_access", Map.of("roles", List.of("nacos-operator", "other")))
                                .claim("org", Map.of("team", "payments"))))
                .orElseThrow();

        assertThat(orders.getUserName()).isEqualTo("oidc:orders");
        assertThat(orders.mappedRoles()).containsExactlyInAnyOrder("readers", "operators", "cashiers");
        assertThat(orders.isGlobalAdmin()).isFalse();
    }

    @Test
    void subjectNamedLikeTheAdministrator_isAnother() {
        roles.addAdminRole("nacos");
        LatchkeyUser nacos = userOf(issuer.token("nacos", claims -> claims)).orElseThrow();

        assertThat(nacos.getUserName()).isEqualTo("oidc:nacos");
        assertThat(nacos.isGlobalAdmin()).isFalse();
        assertThat(userOf(issuer.token(
                                "x", claims -> claims.claim("realm_access", Map.of("roles", List.of("ROLE_ADMIN")))))
                        .orElseThrow()
                        .isGlobalAdmin())
                .isFalse();
    }

    static Stream<Named<UnaryOperator<JWTClaimsSet.Builder>>> wrongClaims() {
        return Stream.of(
                Named.of("another audience", claims -> claims.audience("other")),
                Named.of("no audience", claims -> claims.audience((String) null)),
                Named.of("no subject", claims -> claims.subject(null)),
                Named.of("subject of 256 characters", claims -> claims.subject("s".repeat(256))),
                Named.of("no end", claims -> claims.expirationTime(null)),
                Named.of(
                        "expired",
                        claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(31)))),
                Named.of(
                        "not yet",
                        claims -> claims.notBeforeTime(Date.from(Instant.now().plusSeconds(90)))),
                Named.of("bound to a key", claims -> claims.claim("cnf", Map.of("jkt", "any"))),
                Named.of("another issuer", claims -> claims.issuer("https://other.example")),
                Named.of("no issuer", claims -> claims.issuer(null)));
    }

    @ParameterizedTest
    @MethodSource("wrongClaims")
    void tokenWithWrongClaims_isRefused(UnaryOperator<JWTClaimsSet.Builder> wrong) {
        assertThat(userOf(issuer.token("orders", wrong))).isEmpty();
    }

    @Test
    void tokenOfAStranger_isRefused() {
        assertThat(userOf(issuer.token("orders", claims -> claims))).isPresent();
        assertThat(userOf(issuer.forged("orders"))).isEmpty();
        String right = issuer.token("orders", claims -> claims);
        assertThat(userOf(right.substring(0, right.lastIndexOf('.') + 1))).isEmpty();
        assertThat(userOf(right + "A")).isEmpty();
        assertThat(userOf("e30." + right.substring(right.indexOf('.') + 1))).isEmpty();
        assertThat(userOf("x".repeat(20_000))).isEmpty();
    }

    @Test
    void tokenWithoutASignature_orWithAMacUnderThePublicKey_isRefused() {
        issuer.rotate();
        assertThat(userOf(issuer.token("orders", claims -> claims))).isPresent();

        assertThat(userOf(issuer.unsigned("orders"))).isEmpty();
        assertThat(userOf(issuer.macUnderThePublicKey("orders"))).isEmpty();
    }

    @Test
    void newKeyOfTheIssuer_isReadAtItsFirstToken() {
        assertThat(userOf(issuer.token("orders", claims -> claims))).isPresent();
        issuer.rotate();

        assertThat(userOf(issuer.token("orders", claims -> claims))).isPresent();
    }

    @Test
    void tokensOfUnknownKeys_haveTheKeysReadTwiceAtMost() {
        assertThat(userOf(issuer.token("orders", claims -> claims))).isPresent();
        int before = issuer.reads();
        for (int i = 0; i < 5; i++) {
            String unknown = issuer.ofUnknownKey("orders");
            try {
                assertThat(userOf(unknown)).isEmpty();
            } catch (AuthUnavailableException e) {
                assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OVERLOAD);
            }
        }
        assertThat(issuer.reads() - before).isBetween(1, 2);

        assertThat(userOf(issuer.token("orders", claims -> claims))).isPresent();
    }

    @Test
    void issuerThatIsDown_isAnOutageBeforeItsKeysAreKnown_andNoneAfterwards() {
        issuer.stop();
        String token = issuer.token("orders", claims -> claims);
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> userOf(token))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(AuthUnavailableException.Kind.OUTAGE));
        assertThat(parts.logins.login("nacos", "right-password", null)).isPresent();

        issuer.startAgain();
        assertThat(userOf(token)).isPresent();
        issuer.stop();
        assertThat(userOf(token)).isPresent();
    }

    @Test
    void ownTokens_haveNothingAskedOfTheIssuer() {
        String token = parts.logins
                .login("nacos", "right-password", null)
                .orElseThrow()
                .user()
                .getToken();

        assertThat(userOf(token).orElseThrow().getUserName()).isEqualTo("nacos");
        assertThat(userOf(token + "A")).isEmpty();
    }

    @Test
    void logout_endsTheTokenHere_andThatOfAllOfASubjectTheOnesFromBefore() {
        String ended = issuer.token("orders", claims -> claims);
        String other = issuer.token("orders", claims -> claims);
        assertThat(parts.logins.logout(ended)).isTrue();
        assertThat(userOf(ended)).isEmpty();
        assertThat(userOf(ended + "=")).as("another form of the signature").isEmpty();
        assertThat(userOf(other)).isPresent();

        parts.logins.logoutAll("oidc:orders");
        assertThat(userOf(other)).isEmpty();
        assertThat(userOf(issuer.token("payments", claims -> claims))).isPresent();
        assertThat(userOf(issuer.token(
                        "orders",
                        claims -> claims.issueTime(Date.from(Instant.now().plusSeconds(2))))))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {" %s", "%s ", "\n%s", "%s\t"})
    void spaceAroundAToken_undoesNoLogout(String form) {
        String token = issuer.token("orders", claims -> claims);
        assertThat(parts.logins.logout(token)).isTrue();

        assertThat(userOf(form.formatted(token))).isEmpty();
        assertThat(parts.chain.authenticate(BearerToken.of(form.formatted(token))))
                .isInstanceOf(Rejected.class);
    }

    @Test
    void keysInTheDiscoveryDocument_areNotReadUnencrypted() {
        issuer.nameKeys("http://login.invalid/keys");

        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> userOf(issuer.token("orders", claims -> claims)))
                .havingRootCause()
                .withMessageContaining("http://login.invalid/keys")
                .withMessageContaining("jwks-uri");
    }

    @Test
    void addressOfKeysInTheDiscoveryDocument_mayHaveAQuery() {
        issuer.nameKeys(issuer.url() + "/keys?policy=services");

        assertThat(userOf(issuer.token("orders", claims -> claims))).isPresent();
    }

    @Test
    void userOfTheServerWithTheNameOfASubject_cannotLogIn() {
        users.with("oidc:orders", PluginParts.BCRYPT.encode("right-password"));

        assertThat(parts.logins.login("oidc:orders", "right-password", null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "issuer,http://login.example.org",
        "issuer,login.example.org",
        "issuer,https://login.example.org/?tenant=1",
        "jwks-uri,http://login.example.org/keys",
        "audience,''",
        "algorithms,HS256",
        "algorithms,none",
        "clock-skew,10m",
        "timeout,0s",
        "claims,=team",
        "tenant,1"
    })
    void settingThatCannotBe_isRefusedByItsName(String key, String value) {
        own.put("plugin.oidc." + key, value);

        assertThatIllegalArgumentException()
                .isThrownBy(OidcTokensTest.this::parts)
                .withMessageContaining(key);
    }

    private PluginParts parts() {
        return new PluginParts(own, users, roles, InstantSource.system(), Ticker.systemTicker());
    }

    /** Not a user, for every answer. */
    private Optional<LatchkeyUser> userOf(String token) {
        return parts.logins.byToken(token).map(NacosLogins.Login::user);
    }
}
