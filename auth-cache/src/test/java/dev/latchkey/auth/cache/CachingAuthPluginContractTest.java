package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.store.InMemoryRevocationStore;
import dev.latchkey.auth.store.RevocationStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;

class CachingAuthPluginContractTest extends LoginSourceContract {

    /** Not the plugin's: it outlives those that it was lent to. */
    private final CredentialCache cache = CredentialCache.create();

    @AfterEach
    void closeCache() {
        cache.close();
    }

    @Override
    protected LoginSource<?> newPlugin() {
        return around(remote -> {});
    }

    @Override
    protected Credentials validCredentials() {
        return new PasswordCredentials("ada", Secret.of(FakePlugin.PASSWORD));
    }

    @Override
    protected Credentials wrongCredentials() {
        return new PasswordCredentials("ada", Secret.of("wrong-password"));
    }

    @Override
    protected Optional<LoginSource<?>> newPluginInOutage() {
        return Optional.of(around(remote -> remote.beforeAnswer = () -> {
            throw AuthUnavailableException.outage("down");
        }));
    }

    private AuthPlugin around(java.util.function.Consumer<FakePlugin> change) {
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
        FakePlugin remote = new FakePlugin(new TestTime(), revocations);
        change.accept(remote);
        return CachingAuthPlugin.around(remote, cache, Duration.ofMinutes(1));
    }
}
