package dev.latchkey.examples.directory;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.contract.HttpBackend;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.factory.AuthPluginFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** The plugin keeps the contract, even with a misbehaving directory. */
@Tag("long")
class HttpDirectoryPluginContractTest extends LoginSourceContract {

    @Override
    protected LoginSource<?> newPlugin() throws Exception {
        return DirectoryFixture.pluginAt(workingBackend(), DirectoryFixture.PATIENT);
    }

    @Override
    protected Optional<HttpBackend> backend() {
        return Optional.of(
                HttpBackend.of(DirectoryFixture::pluginAt, DirectoryFixture::answer, DirectoryFixture.TIMEOUT)
                        .withRecovery(DirectoryFixture.PAUSE));
    }

    @Override
    protected Credentials validCredentials() {
        return DirectoryFixture.login("ada");
    }

    @Override
    protected Credentials wrongCredentials() {
        return DirectoryFixture.login("ada", DirectoryFixture.WRONG_PASSWORD);
    }

    @Override
    protected List<String> moreSecrets() {
        return List.of(DirectoryFixture.SERVICE_KEY);
    }

    @Override
    protected Optional<Credentials> credentialsOfUnknownAccount() {
        return Optional.of(DirectoryFixture.login("alan", DirectoryFixture.PASSWORD));
    }

    @Override
    protected Optional<Credentials> secondValidCredentials() {
        return Optional.of(DirectoryFixture.login("grace"));
    }

    @Override
    protected Optional<Credentials> credentialsWithLongSecret() {
        return Optional.of(DirectoryFixture.login("linus"));
    }

    @Override
    protected Optional<AuthPluginFactory> factory() {
        return Optional.of(new HttpDirectoryPluginFactory());
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of("url", "https://directory.example/login", "service-key", DirectoryFixture.SERVICE_KEY);
    }
}
