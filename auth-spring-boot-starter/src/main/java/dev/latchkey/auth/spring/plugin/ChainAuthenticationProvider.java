package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Secret;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.BoundRequest;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.StepsAsked;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;

/**
 * Has the chain of plugins decide for Spring Security's authentication manager: what HTTP Basic and forms present is decided as at the login
 * endpoint.
 *
 * <p>Whatever is not {@link Authenticated} is not accepted. An outage is an exception that no filter takes for a wrong password. Where a plugin asks
 * this provider in turn, it has no opinion: a plugin of Spring's own manager would ask itself for ever.
 */
final class ChainAuthenticationProvider implements AuthenticationProvider {

    private final AuthChain plugins;
    private final RequestContexts contexts;
    private final BiFunction<Authenticated, Authentication, Authentication> logins;

    /** @param logins makes the accepted login of the verdict and of what was presented */
    ChainAuthenticationProvider(
            AuthChain plugins,
            RequestContexts contexts,
            BiFunction<Authenticated, Authentication, Authentication> logins) {
        // Spring Security's manager publishes the outcome of a login itself.
        this.plugins = plugins.withEachListener(
                listener -> listener instanceof SecurityEvents events ? events.ofOutagesOnly() : listener);
        this.contexts = contexts;
        this.logins = logins;
    }

    @Override
    public boolean supports(Class<?> authentication) {
        return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
    }

    @Override
    public @Nullable Authentication authenticate(Authentication presented) {
        return plugins.isDeciding() ? null : decide(presented);
    }

    private Authentication decide(Authentication presented) {
        Object password = presented.getCredentials();
        if (password == null) {
            throw new BadCredentialsException("There is no password");
        }
        PasswordCredentials credentials = new PasswordCredentials(presented.getName(), Secret.of(password.toString()));
        RequestContext request = BoundRequest.current();
        Verdict verdict = plugins.authenticate(credentials, contexts.of(request.headers(), request::address));
        if (verdict instanceof Authenticated authenticated) {
            StepsAsked outer = StepsAsked.current();
            if (outer != null) {
                outer.ofChain(authenticated.subject().id());
            }
            return logins.apply(authenticated, presented);
        }
        throw SecurityEvents.exceptionFor(verdict);
    }
}
