package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.AuthPluginContract;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.util.List;
import java.util.Optional;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

class UserDetailsPluginContractTest extends AuthPluginContract {

    private static final BCryptPasswordEncoder ENCODER = new BCryptPasswordEncoder(4);
    private static final String STORED = ENCODER.encode(Services.PASSWORD);

    @Override
    protected AuthPlugin newPlugin() {
        return new UserDetailsPlugin(
                new InMemoryUserDetailsManager(User.withUsername("alice")
                        .password(STORED)
                        .authorities("ROLE_USER")
                        .build()),
                TestLoginEncoders.around(ENCODER),
                null);
    }

    @Override
    protected Credentials validCredentials() {
        return new PasswordCredentials("alice", Secret.of(Services.PASSWORD));
    }

    @Override
    protected Credentials wrongCredentials() {
        return new PasswordCredentials("alice", Secret.of("not-the-password"));
    }

    @Override
    protected List<String> secretTexts() {
        return List.of(Services.PASSWORD, "not-the-password", STORED);
    }

    @Override
    protected Optional<Credentials> credentialsOfUnknownAccount() {
        return Optional.of(new PasswordCredentials("nobody", Secret.of(Services.PASSWORD)));
    }

    @Override
    protected Optional<AuthPlugin> newPluginInOutage() {
        return Optional.of(new UserDetailsPlugin(
                name -> {
                    throw new IllegalStateException("connection refused");
                },
                TestLoginEncoders.around(ENCODER),
                null));
    }
}
