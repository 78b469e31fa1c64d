package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.RejectionReason;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.engine.PluginNames;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.password.StoreRefusals;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AccountExpiredException;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.CredentialsExpiredException;
import org.springframework.security.authentication.DisabledException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.ProviderNotFoundException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.userdetails.UsernameNotFoundException;

/**
 * A plugin that lets Spring Security check names and passwords, by a manager or provider of the service, for example for LDAP:
 *
 * <pre>{@code
 * @Bean
 * AuthPlugin ldap(AuthenticationManager manager) {
 *     return SpringAuthenticationPlugin.of("ldap", manager);
 * }
 * }</pre>
 *
 * <p>An {@link AuthenticationServiceException}, and any exception other than an {@link AuthenticationException}, is an outage. In
 * two cases, the login is rejected instead. In the first case, the exception wraps a rejection by the user store. In the second
 * case, a comparison before the outage has shown that the password is wrong.
 *
 * <p>The plugin abstains in three cases: no provider supports a name and a password, the manager returns {@code null}, or a
 * provider reports an unknown account. Most providers do not report an unknown account, and answer as to a wrong password.
 *
 * <p>The plugin cannot look up an account without a password, so its logins get no refresh token. Name the plugin in
 * {@code latchkey.shared-subjects} if the manager has the service's own accounts, or if HTTP Basic asks the same manager bean.
 * Safe for use by any number of threads if the manager is thread-safe.
 */
public final class SpringAuthenticationPlugin implements LoginSource<PasswordCredentials> {

    private final String name;
    private final AuthenticationManager manager;
    private final boolean hasStoredNames;
    private volatile boolean closed;

    private SpringAuthenticationPlugin(String name, AuthenticationManager manager, boolean hasStoredNames) {
        this.name = name;
        this.manager = manager;
        this.hasStoredNames = hasStoredNames;
    }

    /**
     * A plugin that asks a manager.
     *
     * @param name the name for {@code latchkey.plugins}
     * @param manager called for each login
     * @return a plugin; register the plugin as a bean
     * @throws IllegalArgumentException if the name is not a plugin name
     */
    public static SpringAuthenticationPlugin of(String name, AuthenticationManager manager) {
        return new SpringAuthenticationPlugin(
                PluginNames.require(name), Objects.requireNonNull(manager, "manager"), false);
    }

    /**
     * A plugin that asks a single provider.
     *
     * @param name the name for {@code latchkey.plugins}
     * @param provider called for each login
     * @return a plugin; register the plugin as a bean
     * @throws IllegalArgumentException if the name is not a plugin name
     */
    public static SpringAuthenticationPlugin of(String name, AuthenticationProvider provider) {
        return of(name, new ProviderManager(Objects.requireNonNull(provider, "provider")));
    }

    /**
     * The same, for a manager that returns the stored name of an account, whichever spelling was typed. Codes and passkeys of the
     * accounts need this. Spring's providers for LDAP and Active Directory return the typed name: give them a
     * {@code UserDetailsContextMapper} that returns the stored name.
     *
     * @return another plugin of the same manager
     */
    public SpringAuthenticationPlugin withStoredNames() {
        return new SpringAuthenticationPlugin(name, manager, true);
    }

    @Override
    public boolean hasStoredNames() {
        return hasStoredNames;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Class<PasswordCredentials> kind() {
        return PasswordCredentials.class;
    }

    @Override
    public Decision authenticate(PasswordCredentials given, RequestContext context) {
        if (closed) {
            return Rejected.because(RejectionReason.NOT_RECOGNIZED);
        }
        if (!Subject.isId(given.username())) {
            return Decision.abstained();
        }
        CurrentLogin login = ComparedPassword.watched(CurrentLogin.here());
        ComparedPassword.Unseen before = ComparedPassword.unseenIn(login);
        Decision decision = login.supply(() -> decide(given));
        if (decision.equals(Decision.abstained())) {
            ComparedPassword.decided(login, before);
        }
        return decision;
    }

    private Decision decide(PasswordCredentials given) {
        try {
            // Spring Security needs a String here. The end of the request releases the text.
            String password = given.password().withText(CharSequence::toString);
            return decisionOf(manager.authenticate(
                    UsernamePasswordAuthenticationToken.unauthenticated(given.username(), password)));
        } catch (ProviderNotFoundException | UsernameNotFoundException e) {
            return Decision.abstained();
        } catch (AuthenticationServiceException e) {
            if (StoreRefusals.isWrapped(e)) {
                return Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("refused_by_store");
            }
            throw outage("Plugin '" + name + "' could not reach a decision", e);
        } catch (AuthenticationException e) {
            return Rejected.because(reasonOf(e));
        } catch (Exception e) { // Kotlin code may throw undeclared checked exceptions.
            throw outage("Plugin '" + name + "' failed", e);
        }
    }

    /** One provider may reject the password before the next provider fails. */
    private static AuthUnavailableException outage(String message, Exception failure) {
        // An overload of the encoder stays an overload: as an outage, guesses during an overload would be free.
        AuthUnavailableException end = failure instanceof AuthUnavailableException undecided
                ? undecided
                : AuthUnavailableException.outage(message, failure);
        return ComparedPassword.cutShort(CurrentLogin.here()) ? end.afterRejection() : end;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** A provider may return {@code null} to abstain, and an unauthenticated object for an incomplete login. */
    private static Decision decisionOf(@Nullable Authentication authentication) {
        if (authentication == null) {
            return Decision.abstained();
        }
        if (!authentication.isAuthenticated()) {
            return Rejected.because(RejectionReason.BAD_CREDENTIALS).withDetail("incomplete");
        }
        if (!Subject.isId(authentication.getName())) {
            return Rejected.because(RejectionReason.MALFORMED).withDetail("no_subject_id");
        }
        List<String> authorities =
                FactorAuthorities.namesWithoutProofs(authentication).toList();
        return Authenticated.as(Subject.of(authentication.getName()).withAuthorities(authorities));
    }

    private static RejectionReason reasonOf(AuthenticationException failure) {
        if (failure instanceof DisabledException) {
            return RejectionReason.ACCOUNT_DISABLED;
        }
        if (failure instanceof LockedException) {
            return RejectionReason.ACCOUNT_LOCKED;
        }
        if (failure instanceof AccountExpiredException) {
            return RejectionReason.ACCOUNT_EXPIRED;
        }
        return failure instanceof CredentialsExpiredException
                ? RejectionReason.CREDENTIALS_EXPIRED
                : RejectionReason.BAD_CREDENTIALS;
    }
}
