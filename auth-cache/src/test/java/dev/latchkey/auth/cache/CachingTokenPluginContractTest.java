package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.InMemoryRevocationStore;
import dev.latchkey.auth.RevocationStore;
import dev.latchkey.auth.contract.AuthPluginContract;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

class CachingTokenPluginContractTest extends AuthPluginContract {

    @Override
    protected AuthPlugin newPlugin() {
        return around(remote -> {});
    }

    @Override
    protected Credentials validCredentials() {
        return BearerToken.of(FakePlugin.TOKEN);
    }

    @Override
    protected Credentials wrongCredentials() {
        return BearerToken.of("forged-token");
    }

    @Override
    protected List<String> secretTexts() {
        return List.of(FakePlugin.TOKEN, "forged-token");
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
        remote.takesPasswords = false;
        change.accept(remote);
        return CachingTokenPlugin.around(remote, CredentialCache.create(), () -> 1L, revocations, FakePlugin::idsOf);
    }
}
