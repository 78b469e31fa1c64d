package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.settings.LatchkeyProperties;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.util.function.SingletonSupplier;

/**
 * Asks the plugins whether they want another step of a login that an authentication manager has decided by a password. A manager has no way to ask
 * its caller for that step, so a wanted one refuses the login.
 *
 * <p>The chain is looked up at the first login: a plugin may be made of a manager. Safe for use by any number of threads.
 */
final class SecondSteps {

    private final SingletonSupplier<Chain> chain;

    /** The chain, and what its plugins may know of a request; null where there is none. */
    private record Chain(@Nullable AuthChain plugins, boolean isConcerned, RequestContexts contexts) {}

    SecondSteps(ObjectProvider<AuthChain> chains, ObjectProvider<LatchkeyProperties> properties) {
        chain = SingletonSupplier.of(() -> {
            AuthChain plugins = chains.getIfAvailable();
            boolean isConcerned = plugins != null && (plugins.hasSteps() || plugins.tellsSubjectsApart());
            return new Chain(plugins, isConcerned, RequestContexts.of(properties.getIfAvailable()));
        });
    }

    /**
     * Whether a login that a manager decides on this thread must be looked at here: the chain has steps, or tells the subjects of several sources apart. Not
     * where the chain looks at the login itself once its plugin has answered.
     */
    boolean areConcerned() {
        Chain asked = chain.obtain();
        AuthChain plugins = asked.plugins();
        return asked.isConcerned() && plugins != null && !plugins.isDeciding();
    }

    /**
     * The steps that are wanted of a login which it has not passed.
     *
     * @param login as the manager decided it
     * @param named the name that was sent: the manager may call the account otherwise
     * @throws BadCredentialsException if the account has the name of a subject of another source
     * @throws InsufficientAuthenticationException if no step can be asked about a login of this name
     * @throws AuthUnavailableException if a plugin could not find out whether it wants one
     * @throws AuthPluginException if one broke its contract
     */
    List<Challenged> missingOf(Authentication login, String named, RequestContext request) {
        Chain asked = chain.obtain();
        AuthChain plugins = asked.plugins();
        if (plugins == null) {
            return List.of();
        }
        if (plugins.isNameOfAnotherSource(login.getName())) {
            throw new BadCredentialsException("The account has the name of a subject of another source");
        }
        if (plugins.hasSteps() && !Subject.isId(login.getName())) {
            throw StepsAsked.notEnough();
        }
        RequestContext context = asked.contexts().of(request.headers(), request::address);
        Set<String> authorities = authoritiesOf(login);
        return idsOf(login, named)
                .map(id -> Authenticated.as(Subject.of(id).withAuthorities(authorities)))
                .flatMap(decided -> plugins.wantedSteps(decided, context).stream())
                .filter(step -> !isProved(step, login))
                .toList();
    }

    /**
     * Refuses a login of which something is missing.
     *
     * @param current who is logged in already, and may have passed the step before the password
     * @throws InsufficientAuthenticationException unless that one is the same and has passed all of it
     */
    static void refuse(List<Challenged> missing, Authentication login, @Nullable Authentication current) {
        if (current == null
                || !current.isAuthenticated()
                || !current.getName().equals(login.getName())
                || missing.stream().anyMatch(step -> !isProved(step, current))) {
            throw StepsAsked.notEnough();
        }
    }

    /** The account may have enrolled by either of these names. A sent name that cannot be the id of a subject has no enrolment. */
    private static Stream<String> idsOf(Authentication login, String named) {
        return Stream.of(login.getName(), named).distinct().filter(Subject::isId);
    }

    /** A step may be for a role alone. Proofs are no authorities: the chain shows a step none of them either. */
    private static Set<String> authoritiesOf(Authentication login) {
        return login.getAuthorities().stream()
                .filter(authority -> !authority.getClass().getName().equals(FactorAuthorities.TYPE))
                .map(GrantedAuthority::getAuthority)
                .filter(Objects::nonNull)
                .filter(authority -> !authority.isBlank())
                .collect(Collectors.toSet());
    }

    private static boolean isProved(Challenged wanted, Authentication login) {
        String factor = FactorAuthorities.nameOf(wanted.method());
        return login.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .anyMatch(factor::equals);
    }
}
