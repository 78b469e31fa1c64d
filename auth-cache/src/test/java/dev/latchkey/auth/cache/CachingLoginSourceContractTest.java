package dev.latchkey.auth.cache;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.LoginSourceContract;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

class CachingLoginSourceContractTest extends LoginSourceContract {

    /** Not the plugin's: the cache outlives the plugins. */
    private final CredentialCache cache = CredentialCache.create();

    @AfterEach
    void closeCache() {
        cache.close();
    }

    @Override
    protected CachingLoginSource newPlugin() {
        return around(new FakePlugin(new TestTime()));
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
    protected Optional<CachingLoginSource> newPluginInOutage() {
        FakePlugin remote = new FakePlugin(new TestTime());
        remote.beforeAnswer = () -> {
            throw AuthUnavailableException.outage("down");
        };
        return Optional.of(around(remote));
    }

    private CachingLoginSource around(FakePlugin remote) {
        return CachingLoginSource.around(remote, cache, Duration.ofMinutes(1));
    }
}
