package dev.latchkey.plugins.apikeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import dev.latchkey.testsupport.LogLines;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysPluginTest {

    private static final KeyDigests DIGESTS = KeyDigests.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();
    private final ApiKeyStore store = new JdbcApiKeyStore(Databases.h2());
    private final ApiKeys issuer = keys(store);
    private final IssuedKey ada = (IssuedKey) issuer.issue(KeyOwner.of("ada"), KeyRequest.named("ci", "orders:read"));
    private final String right = ada.text().withText(CharSequence::toString);
    private final String wrong = issuer.format().randomKey(ada.key().id(), new java.security.SecureRandom());

    private ApiKeys keys(ApiKeyStore store) {
        return ApiKeys.of(store, DIGESTS, ApiKeySettings.defaults(), (plugin, account) -> Optional.empty())
                .withClock(clock);
    }

    private ApiKeysPlugin newPlugin() {
        return ApiKeysPlugin.of(keys(store));
    }

    @Test
    void bearerTokenThatBeginsAsAKey_isRead_andEveryOtherIsLeftAlone() {
        ApiKeysPlugin plugin = newPlugin();
        assertThat(readBearer(plugin, "Bearer " + right)).isPresent();
        assertThat(readBearer(plugin, "bearer " + right))
                .as("RFC 9110 section 11.1")
                .isPresent();
        assertThat(readBearer(plugin, "Bearer lk_typo"))
                .as("is refused, not overlooked")
                .isPresent();
        for (String other : List.of(
                "Bearer eyJhbGciOiJIUzI1NiJ9.e30.x",
                "Bearer LK_" + right.substring(3),
                "Bearer  " + right,
                "Basic " + right,
                right,
                "Bearer",
                "Bearer ")) {
            assertThat(readBearer(plugin, other)).as(other).isEmpty();
        }
    }

    private static Optional<Credentials> readBearer(ApiKeysPlugin plugin, String... fields) {
        return plugin.read(RequestContext.none().withHeader("Authorization", fields));
    }

    @Test
    void twoBearerTokens_areLeftToTheStarter() {
        assertThat(readBearer(newPlugin(), "Bearer " + right, "Bearer " + wrong))
                .isEmpty();
    }

    @Test
    void fieldThatIsNoKey_isReadAsOneThatIsRefused() {
        ApiKeysPlugin plugin = newPlugin();
        for (String[] values : new String[][] {
            {right, wrong},
            {wrong, right},
            {right, right},
            {""},
            {right + " "},
            {right + "\u00e9"},
            {"\ud800"},
            {"x".repeat(8_000)}
        }) {
            RequestContext request = RequestContext.none()
                    .withHeader("X-API-Key", values)
                    .withHeader("Authorization", "Bearer " + right);
            Credentials read = plugin.read(request).orElseThrow();
            assertThat(plugin.authenticate((ApiKeyCredentials) read, request)).isInstanceOf(Rejected.class);
        }
    }

    @Test
    void keyOfAnotherSecretFile_isAnOutage_andTheLogTellsTheReason() {
        byte[] other = new byte[32];
        other[0] = 1;
        ApiKeys keys = ApiKeys.of(
                store,
                KeyDigests.of(Secret.of(other)),
                ApiKeySettings.defaults(),
                (plugin, account) -> Optional.empty());
        AuthChain chain = AuthChain.of(ApiKeysPlugin.of(keys));
        try (LogLines log = LogLines.of(OutageLog.class)) {
            assertThatThrownBy(() -> chain.authenticate(ApiKeyCredentials.of(right)))
                    .isInstanceOf(AuthUnavailableException.class);
            assertThat(log.all())
                    .containsExactly("WARNING: Plugin 'api-keys' does not answer: An API key is digested under a secret"
                            + " that is not configured; its id is " + DIGESTS.currentId());
        }
    }

    @Test
    void fieldOfKeys_isTheOneThatWasChosen() {
        ApiKeysPlugin plugin = ApiKeysPlugin.of(keys(store)).withHeader("X-Acme-Key");
        assertThat(plugin.read(RequestContext.none().withHeader("x-acme-key", right)))
                .isPresent();
        assertThat(plugin.read(RequestContext.none().withHeader("X-API-Key", right)))
                .isEmpty();
        assertThat(plugin.challenge()).contains("ApiKey header=\"X-Acme-Key\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "X Key", "Authorization", "COOKIE", "X-Key\r\nSet-Cookie", "é"})
    void fieldThatMeansSomethingElse_isRefused(String header) {
        ApiKeysPlugin plugin = ApiKeysPlugin.of(issuer);
        assertThatThrownBy(() -> plugin.withHeader(header)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void logoutWithAKey_revokesTheKey_onceAndForItsHolderAlone() {
        ApiKeysPlugin plugin = newPlugin();
        assertThat(plugin.revoke(ApiKeyCredentials.of(wrong))).isFalse();
        assertThat(plugin.revoke(ApiKeyCredentials.of("lk_typo"))).isFalse();
        assertThat(plugin.revoke(new BearerToken(ada.text()))).isFalse();
        assertThat(plugin.authenticate(ApiKeyCredentials.of(right), RequestContext.none()))
                .isInstanceOf(Authenticated.class);
        assertThat(plugin.revoke(ApiKeyCredentials.of(right))).isTrue();
        assertThat(plugin.revoke(ApiKeyCredentials.of(right))).isFalse();
        assertThat(store.find(ada.key().id())).isEmpty();
    }

    @Test
    void closedPlugin_isAnOutage() {
        ApiKeysPlugin plugin = newPlugin();
        plugin.close();
        assertThatThrownBy(() -> plugin.authenticate(ApiKeyCredentials.of(right), RequestContext.none()))
                .isInstanceOf(AuthUnavailableException.class);
    }

    @Test
    void longestName_ofAHeaderField_has64Characters() {
        ApiKeysPlugin plugin = ApiKeysPlugin.of(issuer);
        assertThat(plugin.withHeader("X".repeat(64)).challenge()).isPresent();
        assertThatThrownBy(() -> plugin.withHeader("X".repeat(65))).isInstanceOf(IllegalArgumentException.class);
    }

    /** The name that limits count by: a caller with an id alone cannot use up the owner's budget. */
    @Test
    void account_isAnotherForEachText_andTellsNothingOfIt() {
        assertThat(ApiKeyCredentials.of(right).account())
                .isNotEqualTo(ApiKeyCredentials.of(wrong).account())
                .hasValueSatisfying(account -> assertThat(account).matches("api-key:[0-9a-f]{24}"));
        assertThat(new ApiKeyCredentials(ada.text()).account())
                .isEqualTo(ApiKeyCredentials.of(right).account());
    }
}
