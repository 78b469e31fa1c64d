package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.CredentialsReaderContract;
import dev.latchkey.auth.contract.CredentialsRevokerContract;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.plugins.apikeys.store.ApiKeyStore;
import dev.latchkey.plugins.apikeys.store.JdbcApiKeyStore;
import dev.latchkey.plugins.apikeys.store.KeyOwner;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contracts hold for keys, on H2. */
@Tag("long")
class ApiKeysContractTest {

    private static final KeyDigests DIGESTS = KeyDigests.of(Secret.of(new byte[32]));

    private final SetClock clock = new SetClock();
    private final ApiKeyStore store = new JdbcApiKeyStore(Databases.h2());
    private final ApiKeys issuer = keys(store);
    private final IssuedKey ada = (IssuedKey) issuer.issue(KeyOwner.of("ada"), KeyRequest.named("ci", "orders:read"));
    private final IssuedKey bob = (IssuedKey) issuer.issue(KeyOwner.of("bob"), KeyRequest.named("ci"));
    private final String wrong = issuer.format().randomKey(ada.key().id(), new SecureRandom());

    private ApiKeys keys(ApiKeyStore from) {
        return ApiKeys.of(from, DIGESTS, ApiKeySettings.defaults(), (plugin, account) -> Optional.empty())
                .withClock(clock);
    }

    private ApiKeysPlugin plugin() {
        return ApiKeysPlugin.of(keys(store));
    }

    private ApiKeysPlugin pluginInOutage() {
        FakeStore down = new FakeStore(store);
        down.isDown = true;
        return ApiKeysPlugin.of(keys(down));
    }

    @Nested
    class Source extends LoginSourceContract {

        @Override
        protected ApiKeysPlugin newPlugin() {
            return plugin();
        }

        @Override
        protected Optional<ApiKeysPlugin> newPluginInOutage() {
            return Optional.of(pluginInOutage());
        }

        @Override
        protected Credentials validCredentials() {
            return new ApiKeyCredentials(ada.text());
        }

        @Override
        protected Credentials wrongCredentials() {
            return ApiKeyCredentials.of(wrong);
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(new ApiKeyCredentials(bob.text()));
        }

        @Override
        protected Optional<Credentials> credentialsOfUnknownAccount() {
            return Optional.of(ApiKeyCredentials.of(issuer.format().randomKey("nobodyhasit0", new SecureRandom())));
        }

        @Override
        protected InstantSource clock() {
            return clock;
        }

        @Override
        protected List<String> moreSecrets() {
            return List.of(ada.text().withText(text -> text.toString().substring(16)), wrong.substring(16));
        }
    }

    @Nested
    class Reader extends CredentialsReaderContract {

        @Override
        protected ApiKeysPlugin newPlugin() {
            return plugin();
        }

        @Override
        protected RequestContext requestWithCredentials() {
            return RequestContext.none().withHeader("X-API-Key", ada.text().withText(CharSequence::toString));
        }
    }

    @Nested
    class Revoker extends CredentialsRevokerContract {

        @Override
        protected ApiKeysPlugin newPlugin() {
            return plugin();
        }

        @Override
        protected Optional<ApiKeysPlugin> newPluginInOutage() {
            return Optional.of(pluginInOutage());
        }

        @Override
        protected Credentials validCredentials() {
            return new ApiKeyCredentials(ada.text());
        }

        @Override
        protected Credentials wrongCredentials() {
            return ApiKeyCredentials.of(wrong);
        }

        @Override
        protected Optional<Credentials> secondValidCredentials() {
            return Optional.of(new ApiKeyCredentials(bob.text()));
        }

        @Override
        protected InstantSource clock() {
            return clock;
        }
    }
}
