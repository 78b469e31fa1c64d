package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Challenges;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.ServletAnswers;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.http.ServletRefusals;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.authentication.WebAuthenticationDetailsSource;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Authenticates a request by the bearer token, or the plugin's own kind of credentials, that it carries.
 *
 * <p>A request that carries none goes on unauthenticated, and the chain's own rules decide. One that carries any is either authenticated or ends
 * here: credentials that are not good are not the same as none. One that carries several ends with 400.
 */
final class PluginAuthenticationFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(PluginAuthenticationFilter.class);

    /** What marks the requests it has seen; Spring's own name for that is put together anew for each request. */
    private static final String SEEN = PluginAuthenticationFilter.class.getName() + ".FILTERED";

    private final AuthChain plugins;
    private final PresentedCredentials reader;
    private final RequestContexts contexts;
    private final Challenges challenges;
    private final SecurityContextHolderStrategy holder;

    /** Asynchronous and error dispatches of the same request find the context here; there is no session. */
    private final SecurityContextRepository repository = new RequestAttributeSecurityContextRepository();

    /** @param holder the one of the filter chain: a service may have its own, where Spring's filters look */
    PluginAuthenticationFilter(
            AuthChain plugins,
            PresentedCredentials reader,
            RequestContexts contexts,
            SecurityContextHolderStrategy holder) {
        this.plugins = plugins;
        this.reader = reader;
        this.contexts = contexts;
        this.challenges = Challenges.of(plugins);
        this.holder = holder;
    }

    @Override
    protected String getAlreadyFilteredAttributeName() {
        return SEEN;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (mayGoOn(request, response)) {
            chain.doFilter(request, response);
        }
    }

    /** Whether the request carries no credentials or good ones; otherwise the response is written. */
    private boolean mayGoOn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            RequestContext context = contexts.of(ServletHeaders.of(request), () -> ServletHeaders.addressOf(request));
            if (reader.areSeveral(context, plugins)) {
                Problem.BAD_REQUEST.writeTo(response);
                return false;
            }
            Optional<Credentials> credentials = reader.in(context, plugins);
            if (credentials.isEmpty()) {
                return true;
            }
            if (plugins.authenticate(credentials.get(), context) instanceof Authenticated authenticated) {
                remember(authenticated, request, response);
                return true;
            }
            ServletAnswers.write(refusalOf(credentials.get()), response);
        } catch (AuthUnavailableException e) {
            ServletRefusals.write(e, request, response);
        } catch (RuntimeException e) {
            LOG.error("A request was refused because its credentials could not be checked", e);
            Problem.INTERNAL_SERVER_ERROR.writeTo(response);
        }
        return false;
    }

    private Answer refusalOf(Credentials credentials) {
        return credentials instanceof BearerToken ? Answer.of(BearerChallenge.INVALID_TOKEN) : challenges.answer();
    }

    private void remember(Authenticated login, HttpServletRequest request, HttpServletResponse response) {
        LatchkeyAuthentication authentication = LatchkeyAuthentication.ofOneRequest(login.subject(), login.factors());
        authentication.setDetails(new WebAuthenticationDetailsSource().buildDetails(request));
        SecurityContext context = holder.createEmptyContext();
        context.setAuthentication(authentication);
        holder.setContext(context);
        repository.saveContext(context, request, response);
    }
}
