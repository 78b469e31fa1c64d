package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.spring.password.LoginEncoder;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.userdetails.UserDetailsPasswordService;
import org.springframework.security.core.userdetails.UserDetailsService;

/** The plugin {@code users}, for tests of other packages. */
public final class TestUsers {

    private TestUsers() {}

    /** With the accounts of a store, whose outdated hashes are replaced within the login. */
    public static AuthPlugin of(UserDetailsService users, LoginEncoder encoder, UserDetailsPasswordService upgrades) {
        return new UserDetailsPlugin(users, encoder, upgrades);
    }

    /** A login of a plugin, as a session keeps the login. */
    public static LatchkeyAuthentication login(Authenticated verdict) {
        return LatchkeyPasswords.loginOf(
                verdict,
                UsernamePasswordAuthenticationToken.unauthenticated(
                        verdict.subject().id(), null));
    }
}
