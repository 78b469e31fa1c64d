package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Factors;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.password.LoginEncoder;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;

/** The plugin {@code users}, for tests of other packages. */
public final class TestUsers {

    private TestUsers() {}

    /** With the accounts of a store, whose outdated hashes are replaced within the login. */
    public static AuthPlugin of(UserDetailsService users, LoginEncoder encoder, UserDetailsPasswordService upgrades) {
        return new UserDetailsPlugin(users, encoder, upgrades);
    }

    /** A login with the stamp of its account. */
    public static LatchkeyAuthentication login(Subject subject, Secret stamp) {
        return new LatchkeyAuthentication(subject, Factors.none(), stamp);
    }
}
