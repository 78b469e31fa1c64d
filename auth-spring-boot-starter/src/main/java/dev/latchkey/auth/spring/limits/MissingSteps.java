package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.engine.AuthPluginException;
import dev.latchkey.auth.engine.DecidedLogins;
import dev.latchkey.auth.spring.http.FactorAuthorities;
import dev.latchkey.auth.spring.http.StepsAsked;
import dev.latchkey.auth.spring.plugin.OutsideSources;
import java.util.List;
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
 * Asks the plugins for missing steps of a login by password through an authentication manager. A manager cannot ask its caller
 * for a step, so the login is rejected if a step is missing.
 *
 * <p>The chain is looked up at the first login, because a plugin may contain a manager. Safe for use by any number of threads.
 */
final class MissingSteps {

    /** Null without a chain. */
    private final SingletonSupplier<@Nullable AuthChain> chain;

    MissingSteps(ObjectProvider<AuthChain> chains) {
        chain = SingletonSupplier.of(chains::getIfAvailable);
    }

    /** Whether a manager's login on this thread needs this check. False without a chain, or if the chain checks the login. */
    boolean mustCheck() {
        AuthChain plugins = chain.get();
        return plugins != null && !plugins.outsideLogins().isWithinChain();
    }

    /** Whether a plugin may require a step after a login. */
    boolean mayBeMissing() {
        AuthChain plugins = chain.get();
        return plugins != null && plugins.outsideLogins().mayNeedSteps();
    }

    /**
     * Rejects an account with the name of a subject of another source.
     *
     * @param login the manager's result
     * @throws BadCredentialsException for such a name
     */
    void requireOwnName(Authentication login) {
        AuthChain plugins = chain.get();
        if (plugins != null && plugins.outsideLogins().isForeignName(login.getName())) {
            throw new BadCredentialsException("The account has the name of a subject of another source");
        }
    }

    /**
     * The missing steps of a login.
     *
     * @param login the manager's result
     * @param named the sent name: the manager may give the account another name
     * @throws InsufficientAuthenticationException if no step can be asked for this name
     * @throws AuthUnavailableException if a plugin could not decide about its step
     * @throws AuthPluginException if a plugin broke its contract
     */
    List<Challenged> missingOf(Authentication login, String named, RequestContext request) {
        AuthChain plugins = chain.get();
        if (plugins == null || !plugins.outsideLogins().mayNeedSteps()) {
            return List.of();
        }
        if (!Subject.isId(login.getName())) {
            throw StepsAsked.notEnough();
        }
        // A step may be for a role only, so the steps get the authorities. Steps see no proofs, as in the chain.
        Set<String> authorities = FactorAuthorities.namesWithoutProofs(login).collect(Collectors.toSet());
        return idsOf(login, named, plugins.decidedLogins())
                .map(id -> Authenticated.as(Subject.of(id).withAuthorities(authorities)))
                .flatMap(decided -> plugins.outsideLogins().wantedSteps(decided, request).stream())
                .filter(step -> !isProved(step, login))
                .toList();
    }

    /**
     * Rejects a login with missing steps.
     *
     * @param current the current login, which may have passed the steps before the password. An account of a provider is another
     *     user, even with the same name
     * @throws InsufficientAuthenticationException unless the current login is the same and has passed all steps
     */
    static void refuse(List<Challenged> missing, Authentication login, @Nullable Authentication current) {
        if (current == null
                || !current.isAuthenticated()
                || !current.getName().equals(login.getName())
                || OutsideSources.nameOf(current).isPresent()
                || missing.stream().anyMatch(step -> !isProved(step, current))) {
            throw StepsAsked.notEnough();
        }
    }

    /**
     * The account may have enrolled by each of these names. A manager may return the typed name, so the sources are asked for the
     * stored name too. A sent name that is no valid id has no enrolment.
     */
    private static Stream<String> idsOf(Authentication login, String named, DecidedLogins accounts) {
        return Stream.of(login.getName(), named)
                .distinct()
                .filter(Subject::isId)
                .flatMap(id -> Stream.concat(Stream.of(id), accounts.idsOf(id).stream()))
                .distinct();
    }

    private static boolean isProved(Challenged wanted, Authentication login) {
        String factor = FactorAuthorities.nameOf(wanted.method());
        return login.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .anyMatch(factor::equals);
    }
}
