package dev.latchkey.auth;

import dev.latchkey.auth.contract.AuthPluginContract;
import java.util.List;
import java.util.Optional;

/** The kit over a plugin for passwords with several accounts. */
class PasswordPluginContractTest extends AuthPluginContract {

    @Override
    protected AuthPlugin newPlugin() {
        return new PasswordPlugin();
    }

    @Override
    protected Credentials validCredentials() {
        return login(PasswordPlugin.NAME, PasswordPlugin.PASSWORD);
    }

    @Override
    protected Credentials wrongCredentials() {
        return login(PasswordPlugin.NAME, "Incorrect-Horse");
    }

    @Override
    protected List<String> secretTexts() {
        return List.of(PasswordPlugin.PASSWORD, "Incorrect-Horse");
    }

    @Override
    protected Optional<Credentials> credentialsOfUnknownAccount() {
        return Optional.of(login("alan", PasswordPlugin.PASSWORD));
    }

    @Override
    protected Optional<Credentials> secondValidCredentials() {
        return Optional.of(login(PasswordPlugin.OTHER_NAME, PasswordPlugin.OTHER_PASSWORD));
    }

    @Override
    protected Optional<Credentials> credentialsWithLongSecret() {
        return Optional.of(login(PasswordPlugin.LONG_NAME, PasswordPlugin.LONG_PASSWORD));
    }

    private static Credentials login(String name, String password) {
        return new PasswordCredentials(name, Secret.of(password));
    }
}
