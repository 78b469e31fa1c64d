package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.AuthPluginContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

class CachingAuthPluginContractTest extends AuthPluginContract {

    @Override
    protected AuthPlugin newPlugin() {
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
    protected List<String> secretTexts() {
        return List.of(FakePlugin.PASSWORD, "wrong-password");
    }

    @Override
    protected Optional<AuthPlugin> newPluginInOutage() {
        return Optional.of(around(remote -> remote.beforeAnswer = () -> {
            throw AuthUnavailableException.outage("down");
        }));
    }

    private static AuthPlugin around(java.util.function.Consumer<FakePlugin> change) {
        RevocationStore revocations = new InMemoryRevocationStore(Duration.ofHours(1));
        FakePlugin remote = new FakePlugin(new TestTime(), revocations);
        change.accept(remote);
        return CachingAuthPlugin.around(remote, CredentialCache.create(), Duration.ofMinutes(1));
    }
}
