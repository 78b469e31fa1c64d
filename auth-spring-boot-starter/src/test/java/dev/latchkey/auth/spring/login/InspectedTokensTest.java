package dev.latchkey.auth.spring.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.CredentialsReader;
import dev.latchkey.auth.CredentialsRevoker;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.IssuedCredentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.LoginGate;
import dev.latchkey.auth.jwt.JwtAuthPlugin;
import dev.latchkey.auth.jwt.JwtClaims;
import dev.latchkey.auth.jwt.JwtRevocations;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.endpoint.Accounts;
import dev.latchkey.auth.spring.login.TokenRevocation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a client learns about a token, and whose tokens a client may revoke. */
class InspectedTokensTest {

    private static final RequestContext HERE = RequestContext.from("192.0.2.7");
    private static final Set<String> CLIENTS = Set.of("shop", "app");
    private static final Instant END = Instant.parse("2100-01-01T00:00:00Z");

    /** With the prefix, as long as a refresh token. */
    private static final String LONG_KEY = "0123456789_0123456789_0123456789_0123456789_0123456789_01234";

    private final Accounts accounts = new Accounts();
    private final Keys keys = new Keys();
    private final LoginParts parts = new LoginParts(List.of(), (context, options) -> options, keys, accounts);

    private IssuedTokens login(String name, String client) {
        return (IssuedTokens) parts.login()
                .ofClient(client)
                .login(new PasswordCredentials(name, Secret.of(Services.PASSWORD)), HERE)
                .orElseThrow();
    }

    private Map<String, Object> claimsOf(IssuedTokens tokens) {
        return parts.inspection().claimsOf(tokens.access().value(), "shop");
    }

    @Test
    void refreshToken_isToldToItsClientAlone_andNotWhenItIsUsed() {
        IssuedTokens tokens = login("alice", "shop");
        String refresh = RefreshScene.text(tokens);
        assertThat(parts.inspection().claimsOf(refresh, "shop"))
                .containsOnlyKeys("sub", "iat", "exp", "client_id")
                .containsEntry("sub", "alice")
                .containsEntry("client_id", "shop");
        assertThat(parts.inspection().claimsOf(refresh, "app")).isEmpty();
        RefreshableLogins logins = Objects.requireNonNull(parts.refreshable());
        assertThat(logins.refresh(refresh, "shop")).isPresent();
        assertThat(parts.inspection().claimsOf(refresh, "shop")).isEmpty();
    }

    @Test
    void accessToken_isToldWithItsClaims_untilItsSessionOrItsAccountEnds() {
        IssuedTokens tokens = login("alice", "shop");
        assertThat(claimsOf(tokens))
                .containsKeys("sub", "exp", "iat", "jti")
                .containsEntry("token_type", "Bearer")
                .containsEntry("client_id", "shop")
                .doesNotContainKeys("sid", "authorities");
        IssuedTokens other = login("alice", "shop");
        parts.revocation().revoke(RefreshScene.text(other));
        assertThat(claimsOf(other)).isEmpty();
        assertThat(claimsOf(tokens)).isNotEmpty();
        accounts.disable("alice");
        assertThat(claimsOf(tokens)).isEmpty();
    }

    @Test
    void accessTokenWithoutRefreshTokens_isTold_alsoIfNoPluginReadsTokens() {
        RefreshScene scene = new RefreshScene();
        String token = scene.signer.sign(JwtClaims.forSubject("alice", Duration.ofMinutes(1)));
        AuthChain withoutTokens = AuthChain.of(scene.accounts);
        assertThat(new TokenInspection(withoutTokens, scene.accessTokens, null).claimsOf(token, "shop"))
                .containsEntry("sub", "alice");
        AuthChain rejecting = AuthChain.of(JwtAuthPlugin.of(scene.verifier.expectingAudience("x"), scene.revocations));
        assertThat(new TokenInspection(rejecting, scene.accessTokens, null).claimsOf(token, "shop"))
                .isEmpty();
    }

    @Test
    void tokenBoundToAKey_isUnknown_alsoIfNoPluginReadsTokens() {
        RefreshScene scene = new RefreshScene();
        String bound = scene.signer.sign(
                JwtClaims.forSubject("alice", Duration.ofMinutes(1)).with("cnf", Map.of("jkt", "x")));
        assertThat(new TokenInspection(AuthChain.of(scene.accounts), scene.accessTokens, null).claimsOf(bound, "shop"))
                .isEmpty();
    }

    /** A further token of a token without a session names that token's id in place of a session. */
    @Test
    void tokenWithAnIdInPlaceOfASession_isTold_andOneOfAnUnknownSessionIsNot() {
        RefreshScene scene = new RefreshScene();
        TokenInspection inspection = new TokenInspection(scene.plugins, scene.accessTokens, scene.logins);
        JwtClaims claims = JwtClaims.forSubject("alice", Duration.ofMinutes(1));
        assertThat(inspection.claimsOf(
                        scene.signer.sign(claims.with(JwtRevocations.SESSION_CLAIM, "0123456789abcdef")), "shop"))
                .isNotEmpty();
        assertThat(inspection.claimsOf(
                        scene.signer.sign(claims.with(JwtRevocations.SESSION_CLAIM, "s".repeat(43))), "shop"))
                .isEmpty();
    }

    @Test
    void actingToken_namesTheActor_untilEitherAccountIsDisabled() {
        for (String either : List.of("alice", "bob")) {
            Accounts own = new Accounts();
            LoginParts service = new LoginParts(List.of(), (context, options) -> options, own);
            IssuedTokens bob = (IssuedTokens) service.login()
                    .login(new PasswordCredentials("bob", Secret.of(Services.PASSWORD)), HERE)
                    .orElseThrow();
            String acting = service.acting((actor, account) -> true)
                    .actAs(bob.access().value(), "alice", Duration.ofMinutes(1))
                    .orElseThrow()
                    .value();
            assertThat(service.inspection().claimsOf(acting, "shop")).containsEntry("act", Map.of("sub", "bob"));
            own.disable(either);
            assertThat(service.inspection().claimsOf(acting, "shop")).as(either).isEmpty();
        }
    }

    @Test
    void key_isToldWithItsEnd_andAnUnknownKeyIsNot() {
        assertThat(parts.inspection().claimsOf("key-robot", "shop")).isEqualTo(Map.of("sub", "robot"));
        assertThat(parts.inspection().claimsOf("key-dated", "shop"))
                .isEqualTo(Map.of("sub", "dated", "exp", END.getEpochSecond()));
        assertThat(parts.inspection().claimsOf("key-wrong", "shop")).isEmpty();
        for (String other : List.of("key-robot\u00e9", "key robot", "\u007f", "")) {
            assertThat(parts.inspection().claimsOf(other, "shop")).isEmpty();
        }
    }

    @Test
    void keyInTheFormOfARefreshToken_isTold() {
        assertThat(parts.inspection().claimsOf("key-" + LONG_KEY, "shop")).isEqualTo(Map.of("sub", "robot"));
    }

    @Test
    void client_revokesItsOwnTokens_andTheTokensOfNoClient_butNotThoseOfAnotherClient() {
        IssuedTokens ofApp = login("alice", "app");
        for (String token : List.of(ofApp.access().value(), RefreshScene.text(ofApp))) {
            assertThat(parts.revocation().revoke(token, "shop", CLIENTS)).isEqualTo(Outcome.OF_ANOTHER_CLIENT);
        }
        assertThat(claimsOf(ofApp)).isNotEmpty();
        for (String owner : List.of("shop", "", "a former client")) {
            IssuedTokens first = login("alice", owner);
            assertThat(parts.revocation().revoke(first.access().value(), "shop", CLIENTS))
                    .isEqualTo(Outcome.DONE);
            assertThat(claimsOf(first)).isEmpty();
            IssuedTokens second = login("alice", owner);
            for (int time = 1; time <= 2; time++) {
                assertThat(parts.revocation().revoke(RefreshScene.text(second), "shop", CLIENTS))
                        .isEqualTo(Outcome.DONE);
            }
            assertThat(claimsOf(second)).isEmpty();
        }
    }

    /** A logout must be possible during an outage. */
    @Test
    void refreshTokenOfAnotherClient_isRevoked_ifNoPluginTellsItsClient() {
        RefreshScene.Accounts users = new RefreshScene.Accounts("users");
        LoginParts service = new LoginParts(List.of(), (context, options) -> options, users);
        IssuedTokens tokens = (IssuedTokens) service.login()
                .ofClient("app")
                .login(new PasswordCredentials("alice", Secret.of("x")), HERE)
                .orElseThrow();
        users.down = true;
        assertThat(service.revocation().revoke(RefreshScene.text(tokens), "shop", CLIENTS))
                .isEqualTo(Outcome.DONE);
        users.down = false;
        assertThat(service.inspection().claimsOf(tokens.access().value(), "app"))
                .isEmpty();
    }

    /** Nobody guesses issued credentials, and a client has shown its secret. */
    @Test
    void issuedKey_isToldWithoutTheLoginLimits_andOtherCredentialsAreNot() {
        RefreshScene scene = new RefreshScene();
        LoginGate closed = (credentials, account, decision) -> {
            throw AuthUnavailableException.overload("Too many logins", Duration.ofSeconds(1));
        };
        TokenInspection inspection =
                new TokenInspection(AuthChain.of(new Keys(), new Pins()).withGate(closed), scene.accessTokens, null);
        assertThat(inspection.claimsOf("key-robot", "shop")).isEqualTo(Map.of("sub", "robot"));
        assertThatExceptionOfType(AuthUnavailableException.class)
                .isThrownBy(() -> inspection.claimsOf("pin-1234", "shop"));
    }

    /** Short secrets in place of bearer tokens. */
    private static final class Pins implements LoginSource<Pins.Pin>, CredentialsReader {

        record Pin(String digits) implements Credentials {
            @Override
            public Optional<String> account() {
                return Optional.of("door");
            }
        }

        @Override
        public String name() {
            return "pins";
        }

        @Override
        public Class<Pin> kind() {
            return Pin.class;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header("Authorization").stream()
                    .filter(value -> value.startsWith("Bearer pin-"))
                    .findFirst()
                    .map(Pin::new);
        }

        @Override
        public Decision authenticate(Pin pin, RequestContext context) {
            return Authenticated.as(Subject.of("door"));
        }
    }

    @Test
    void key_isRevokedByItsPlugin_inPlaceOfAToken() {
        assertThat(parts.revocation().revoke("key-robot", "shop", CLIENTS)).isEqualTo(Outcome.DONE);
        // No header field can carry such text.
        for (String other : List.of(" ", "\u007f", "\u00e9")) {
            parts.revocation().revoke("key-robot" + other);
        }
        parts.revocation().revoke("key-!~");
        assertThat(keys.revoked).containsExactly("robot", "!~");
    }

    /** API keys in place of bearer tokens. */
    private static final class Keys implements LoginSource<Keys.Key>, CredentialsReader, CredentialsRevoker {

        record Key(String text) implements IssuedCredentials {
            @Override
            public Optional<String> account() {
                return Optional.of("key:" + text);
            }
        }

        final List<String> revoked = new ArrayList<>();

        @Override
        public String name() {
            return "key";
        }

        @Override
        public Class<Key> kind() {
            return Key.class;
        }

        @Override
        public Optional<Credentials> read(RequestContext context) {
            return context.header("Authorization").stream()
                    .filter(value -> value.startsWith("Bearer key-"))
                    .findFirst()
                    .map(value -> new Key(value.substring("Bearer key-".length())));
        }

        @Override
        public Decision authenticate(Key key, RequestContext context) {
            return switch (key.text()) {
                case "robot", LONG_KEY -> Authenticated.as(Subject.of("robot"));
                case "dated" -> Authenticated.as(Subject.of("dated")).until(END);
                default -> Rejected.because(RejectionReason.BAD_CREDENTIALS);
            };
        }

        @Override
        public boolean revoke(Credentials credentials) {
            return credentials instanceof Key key && revoked.add(key.text());
        }

        @Override
        public boolean revokeAll(String subjectId, Instant notBefore) {
            return false;
        }
    }
}
