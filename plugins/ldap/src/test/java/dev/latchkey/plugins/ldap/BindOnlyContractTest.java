package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.contract.LoginSourceContract;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of a plugin without an account of its own at the directory. */
class BindOnlyContractTest extends LoginSourceContract {

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
        return Plugins.of(Map.of(
                "urls", "ldap://127.0.0.1:" + directory.port(),
                "encryption", "none",
                "user-dn-pattern", "uid={0}," + TestDirectory.PEOPLE));
    }

    @Override
    protected Credentials validCredentials() {
        return Plugins.login("ada", TestDirectory.PASSWORD);
    }

    @Override
    protected Credentials wrongCredentials() {
        return Plugins.login("ada", "Incorrect-Horse");
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
}
