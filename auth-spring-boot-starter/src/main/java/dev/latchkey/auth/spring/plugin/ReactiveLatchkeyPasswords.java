package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.login.LoginLimitGate;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.password.ComparedPassword;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.ReactiveUserDetailsService;
import org.springframework.security.core.userdetails.UserDetails;
import reactor.core.publisher.Mono;

/**
 * Asks the plugins about names and passwords in a WebFlux service, on threads that may block. {@link LatchkeyPasswords} does the
 * same on servlets. A login already admitted by the limits is not counted again. Safe for use by any number of threads.
 */
public final class ReactiveLatchkeyPasswords {

    private final AuthChain plugins;
    private final ReactiveWork work;
    private final LatchkeyProperties properties;
    private final ConfigurableListableBeanFactory beans;
    private final @Nullable LoginLimitGate limits;

    /**
     * Creates the object for a service.
     *
     * @param plugins check names and passwords
     * @param work runs blocking calls
     * @param properties of the service
     * @param limits null for none
     * @param beans with the service's own accounts, if any
     */
    public ReactiveLatchkeyPasswords(
            AuthChain plugins,
            ReactiveWork work,
            LatchkeyProperties properties,
            @Nullable LoginLimitGate limits,
            ConfigurableListableBeanFactory beans) {
        this.plugins = plugins;
        this.work = work;
        this.properties = properties;
        this.beans = beans;
        this.limits = limits;
    }

    /**
     * Whether {@link #manager} replaces Spring Security's manager for the service's accounts. True if the property is set, and
     * {@link #askedBesideUsers} is not empty. If the service has accounts, a plugin must also decide about these accounts.
     *
     * @return the same at every call
     */
    public boolean replacesSpringsManager() {
        return properties.authenticationManager().enabled()
                && !askedBesideUsers().isEmpty()
                && (new PasswordPlugins(plugins).haveUsers()
                        || !ServiceAccounts.hasAccounts(beans, ReactiveUserDetailsService.class));
    }

    /**
     * The plugins besides {@code users} that take part in a login by password: sources and steps. Spring Security alone would not
     * ask these plugins.
     *
     * @return their names, in the order of the chain
     */
    public List<String> askedBesideUsers() {
        return new PasswordPlugins(plugins).askedBesideUsers();
    }

    /**
     * The plugins of {@link #askedBesideUsers} that check passwords. Steps are asked in any case.
     *
     * @return their names, in the order of the chain
     */
    public List<String> sourcesBesideUsers() {
        return new PasswordPlugins(plugins).sourcesBesideUsers();
    }

    /**
     * A manager that asks the plugins.
     *
     * @return a manager; the login of an account of {@code users} has the service's {@code UserDetails}, any other login is a
     *     {@link LatchkeyAuthentication}
     */
    public ReactiveAuthenticationManager manager() {
        return (ReactiveAuthenticationManager & ComparedPassword.Noting) this::authenticate;
    }

    private Mono<Authentication> authenticate(Authentication presented) {
        return Mono.deferContextual(subscriber -> {
            PasswordCredentials credentials = LatchkeyPasswords.credentialsOf(presented);
            CurrentLogin current = ReactiveSource.in(subscriber);
            RequestContext context = CurrentRequest.contextOf(current);
            Reservation admitted = current.get(ReactiveSource.ADMITTED);
            StepsAsked outer = StepsAsked.in(current);
            ComparedPassword.askingPlugins(current);
            return work.run(() -> {
                Verdict verdict = within(admitted, credentials, context);
                ComparedPassword.note(current, verdict);
                return login(verdict, presented, outer);
            });
        });
    }

    private Verdict within(@Nullable Reservation admitted, PasswordCredentials credentials, RequestContext context) {
        return admitted == null || limits == null
                ? plugins.authenticate(credentials, context)
                : limits.within(admitted, () -> plugins.authenticate(credentials, context));
    }

    private Authentication login(Verdict verdict, Authentication presented, @Nullable StepsAsked outer) {
        if (!(verdict instanceof Authenticated authenticated)) {
            throw SecurityEvents.exceptionFor(verdict);
        }
        if (outer != null) {
            outer.ofChain(authenticated.subject().id());
        }
        return plugins.plugins().stream()
                .filter(plugin ->
                        plugin instanceof UserDetailsPlugin && plugin.name().equals(authenticated.plugin()))
                .findFirst()
                .map(users -> accountOf((UserDetailsPlugin) users, authenticated, presented))
                .orElseGet(() -> LatchkeyPasswords.loginOf(authenticated, presented));
    }

    private static Authentication accountOf(UserDetailsPlugin users, Authenticated checked, Authentication presented) {
        UserDetails account = LatchkeyPasswords.accountOf(checked, users.accounts(), presented.getName());
        return UsernamePasswordAuthenticationToken.authenticated(
                account, account.getPassword(), account.getAuthorities());
    }
}
