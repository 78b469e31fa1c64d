package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import java.util.Objects;
import java.util.Optional;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Lets the plugins decide about names and passwords in Spring Security: for HTTP Basic, {@code formLogin}, and all other
 * callers of an authentication manager. Spring Security's own manager asks the plugins if the chain has a further plugin
 * besides {@code users}, for passwords or for a second step. A service with its own {@link AuthenticationProvider} or manager
 * writes
 *
 * <pre>{@code
 * http.authenticationProvider(passwords.provider());
 * }</pre>
 *
 * <p>This class is no provider bean: with such a bean, Boot would not create the user of {@code spring.security.user}. Safe for
 * use by any number of threads.
 */
public final class LatchkeyPasswords {

    private static final CurrentLogin.Part<Authenticated> CHECKED = new CurrentLogin.Part<>();

    private final AuthChain plugins;
    private final AuthenticationProvider provider;

    LatchkeyPasswords(AuthChain plugins) {
        this.plugins = plugins;
        Optional<AuthenticationProvider> users = usersOf(plugins);
        this.provider = new ChainAuthenticationProvider(
                plugins,
                (verdict, presented) -> users.filter(any -> verdict.plugin().equals(UserDetailsPlugin.NAME))
                        .map(accounts -> loggedIn(accounts, verdict, presented))
                        .orElseGet(() -> loginOf(verdict, presented)));
    }

    /** The provider gets the account as a part of the current login. */
    private static Authentication loggedIn(
            AuthenticationProvider accounts, Authenticated verdict, Authentication presented) {
        CurrentLogin outer = CurrentLogin.here().with(CHECKED, verdict).bind();
        try {
            return accounts.authenticate(presented);
        } finally {
            outer.bind();
        }
    }

    /**
     * The account with the stored hash of the check. After a further look-up, the account could have a changed password, and a
     * remember-me cookie or a token would then belong to the new password. If the login itself has replaced an outdated hash, the
     * stored account has the hash of the login.
     */
    static UserDetails accountOf(Authenticated checked, UserDetailsService accounts, String name) {
        UserDetails account = (UserDetails) Objects.requireNonNull(checked.details(), "details");
        if (isChecked(account, checked)) {
            return account;
        }
        UserDetails stored = accounts.loadUserByUsername(name);
        return isChecked(stored, checked) ? stored : account;
    }

    private static boolean isChecked(UserDetails account, Authenticated checked) {
        Secret stamp = checked.stamp();
        return stamp != null && stamp.matches(UserDetailsPlugin.stampOf(account));
    }

    /**
     * A provider that asks the plugins.
     *
     * @return logs in an account of {@code users} as the service's {@code UserDetails}, and any other account as a {@link
     *     LatchkeyAuthentication}
     */
    public AuthenticationProvider provider() {
        return provider;
    }

    AuthChain plugins() {
        return plugins;
    }

    /**
     * The name and the password of a request.
     *
     * @throws BadCredentialsException without a password, and for a lone surrogate: no stored password has this form
     */
    static PasswordCredentials credentialsOf(Authentication presented) {
        Object password = presented.getCredentials();
        if (password == null) {
            throw new BadCredentialsException("There is no password");
        }
        Secret text;
        try {
            text = Secret.of(password.toString());
        } catch (IllegalArgumentException e) {
            throw new BadCredentialsException("The password is no text", e);
        }
        return new PasswordCredentials(presented.getName(), text);
    }

    static LatchkeyAuthentication loginOf(Authenticated verdict, Authentication presented) {
        LatchkeyAuthentication login = new LatchkeyAuthentication(verdict);
        login.setDetails(presented.getDetails());
        return login;
    }

    /**
     * Spring Security's authentication of an account, from its own provider: with the authorities, and with additions of the
     * Spring Security version. The password is already checked, so no second comparison is made.
     */
    private static Optional<AuthenticationProvider> usersOf(AuthChain plugins) {
        return plugins.plugins().stream()
                .filter(UserDetailsPlugin.class::isInstance)
                .findFirst()
                .map(users -> {
                    UserDetailsService stored = ((UserDetailsPlugin) users).accounts();
                    DaoAuthenticationProvider accounts = new DaoAuthenticationProvider(name ->
                            accountOf(Objects.requireNonNull(CurrentLogin.here().get(CHECKED)), stored, name));
                    accounts.setPasswordEncoder(new Checked());
                    return accounts;
                });
    }

    /** Only for passwords that a plugin has accepted. */
    private static final class Checked implements PasswordEncoder {

        @Override
        public String encode(CharSequence rawPassword) {
            return "";
        }

        @Override
        public boolean matches(CharSequence rawPassword, String encodedPassword) {
            return true;
        }
    }
}
