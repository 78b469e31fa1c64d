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
import dev.latchkey.auth.spring.plugin.Subjects;
import dev.latchkey.auth.spring.token.RevocationReasons;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.authentication.WebAuthenticationDetailsSource;
import org.springframework.security.web.context.RequestAttributeSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Authenticates a request by its bearer token, or by credentials of a plugin's own kind.
 *
 * <p>A request without credentials continues unauthenticated, and the chain's own rules decide. A request with invalid
 * credentials ends here, because invalid credentials differ from missing credentials. But a request with an invalid token from a
 * cookie continues unauthenticated. A request with several credentials ends with 400.
 */
final class PluginAuthenticationFilter extends OncePerRequestFilter {

    private static final Logger LOG = LoggerFactory.getLogger(PluginAuthenticationFilter.class);

    /** The marker of processed requests; Spring's own marker is concatenated again for each request. */
    private static final String SEEN = PluginAuthenticationFilter.class.getName() + ".FILTERED";

    private final AuthChain plugins;
    private final PresentedCredentials reader;
    private final RequestContexts contexts;
    private final Challenges challenges;
    private final SecurityContextHolderStrategy holder;
    private final ChainLogins.@Nullable Wish issuing;

    /** Asynchronous and error dispatches of the same request find the context here; there is no session. */
    private final SecurityContextRepository repository = new RequestAttributeSecurityContextRepository();

    private final @Nullable RevocationReasons reasons;

    /**
     * @param holder the strategy of the filter chain: Spring's filters read this strategy, and a service may have its own
     * @param issuing the chain's wish for tokens as the answer of its logins; null without a wish
     */
    PluginAuthenticationFilter(
            AuthChain plugins,
            PresentedCredentials reader,
            RequestContexts contexts,
            SecurityContextHolderStrategy holder,
            @Nullable RevocationReasons reasons,
            ChainLogins.@Nullable Wish issuing) {
        this.reasons = reasons;
        this.plugins = plugins;
        this.reader = reader;
        this.contexts = contexts;
        this.challenges = Challenges.of(plugins);
        this.holder = holder;
        this.issuing = issuing;
    }

    Subjects subjects() {
        return new Subjects(plugins);
    }

    /** The chain's wish for logins that answer with tokens, for {@link ChainLogins}. */
    Optional<ChainLogins.Wish> issuing() {
        return Optional.ofNullable(issuing);
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

    /** Whether the request may continue; otherwise the response is written. */
    private boolean mayGoOn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            RequestContext context = contexts.of(ServletHeaders.of(request), () -> ServletHeaders.addressOf(request));
            PresentedCredentials.Found found = reader.in(context, plugins);
            if (found.areSeveral()) {
                Problem.BAD_REQUEST.writeTo(response);
                return false;
            }
            Credentials credentials = found.credentials();
            if (credentials == null) {
                return true;
            }
            if (plugins.authenticate(credentials, context) instanceof Authenticated authenticated) {
                remember(authenticated, request, response);
                return true;
            }
            if (CarriedTokenFilter.hasCarried(request)) {
                // The browser adds the cookie to requests of public pages too, so the request continues
                // unauthenticated.
                return true;
            }
            ServletAnswers.write(refusalOf(credentials), response);
        } catch (AuthUnavailableException e) {
            ServletRefusals.write(e, request, response);
        } catch (RuntimeException e) {
            LOG.error("A request was refused because its credentials could not be checked", e);
            Problem.INTERNAL_SERVER_ERROR.writeTo(response);
        }
        return false;
    }

    private Answer refusalOf(Credentials credentials) {
        if (credentials instanceof BearerToken token) {
            return reasons == null ? Answer.of(BearerChallenge.INVALID_TOKEN) : reasons.answerTo(token);
        }
        return challenges.answer();
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
