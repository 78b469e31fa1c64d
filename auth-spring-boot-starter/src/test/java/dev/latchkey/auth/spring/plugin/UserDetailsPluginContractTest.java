package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.contract.LoginSourceContract;
import dev.latchkey.auth.spring.Services;
import dev.latchkey.auth.spring.password.TestLoginEncoders;
import java.util.List;
import java.util.Optional;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

class UserDetailsPluginContractTest extends LoginSourceContract {

    private static final BCryptPasswordEncoder ENCODER = new BCryptPasswordEncoder(4);
    private static final String STORED = ENCODER.encode(Services.PASSWORD);

    @Override
    protected LoginSource<?> newPlugin() {
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
    protected List<String> moreSecrets() {
        return List.of(STORED);
    }

    @Override
    protected Optional<LoginSource<?>> newPluginInOutage() {
        return Optional.of(new UserDetailsPlugin(
                name -> {
                    throw new IllegalStateException("connection refused");
                },
                TestLoginEncoders.around(ENCODER),
                null));
    }
}
