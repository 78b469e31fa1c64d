package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.factory.AuthPluginFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of a plugin, where accounts are searched. */
class LdapPluginContractTest extends LoginSourceContract {

    private static final String WRONG = "Incorrect-Horse";

    private static TestDirectory directory;

    @BeforeAll
    static void start() throws Exception {
        directory = TestDirectory.start();
    }

    @AfterAll
    static void stop() {
        directory.close();
    }

    @Override
    protected LoginSource<?> newPlugin() {
        return Plugins.of(directory.settings());
    }

    @Override
    protected Credentials validCredentials() {
        return Plugins.login("ada", TestDirectory.PASSWORD);
    }

    @Override
    protected Credentials wrongCredentials() {
        return Plugins.login("ada", WRONG);
    }

    @Override
    protected Optional<Credentials> credentialsOfUnknownAccount() {
        return Optional.of(Plugins.login("nobody-of-this-name", TestDirectory.PASSWORD));
    }

    @Override
    protected Optional<Credentials> secondValidCredentials() {
        return Optional.of(Plugins.login("grace", TestDirectory.OTHER_PASSWORD));
    }

    @Override
    protected Optional<Credentials> credentialsWithLongSecret() {
        return Optional.of(Plugins.login("linus", TestDirectory.LONG_PASSWORD));
    }

    @Override
    protected List<String> moreSecrets() {
        return List.of(TestDirectory.SERVICE_PASSWORD);
    }

    @Override
    protected Optional<LoginSource<?>> newPluginInOutage() {
        return Optional.of(Plugins.of(directory.settings(), "urls", "ldap://127.0.0.1:1"));
    }

    @Override
    protected Optional<AuthPluginFactory> factory() {
        return Optional.of(new LdapPluginFactory());
    }

    @Override
    protected Map<String, String> settings() {
        return directory.settings();
    }
}
