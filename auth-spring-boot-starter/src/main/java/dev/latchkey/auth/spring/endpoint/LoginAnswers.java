package dev.latchkey.auth.spring.endpoint;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.login.IssuedTokens;
import dev.latchkey.auth.spring.login.LoginOutcome;
import dev.latchkey.auth.spring.login.TokenIssuer;
import dev.latchkey.auth.spring.login.TokenOptions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.security.core.Authentication;

/** Answers a successful login of Spring Security with tokens, as the token endpoint answers a plain login. Safe for use by any number of threads. */
public final class LoginAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(LoginAnswers.class);

    private final ObjectProvider<TokenIssuer> tokens;
    private final Duration refreshLifetime;

    LoginAnswers(ObjectProvider<TokenIssuer> tokens, Duration refreshLifetime) {
        this.tokens = tokens;
        this.refreshLifetime = refreshLifetime;
    }

    /**
     * The answer to a login. May wait for the stores.
     *
     * @param login a successful login
     * @param context the request of the login
     * @param options of this login
     * @param cookies of the filter chain, for a login of a browser; null for tokens in the body
     * @param contextPath of the request, for the redirect
     * @return tokens, a redirect to the landing page with tokens in cookies, the next step, or a refusal
     * @throws AuthUnavailableException if a plugin or a store reached no decision
     */
    public Answer to(
            Authentication login,
            RequestContext context,
            TokenOptions options,
            @Nullable LoginCookies cookies,
            String contextPath) {
        Optional<LoginOutcome> outcome = tokens.getObject().issue(login, context, options);
        Answer answer = new Delivery(Dialect.PLAIN, cookies, refreshLifetime).of(outcome);
        if (cookies == null || outcome.isEmpty() || !(outcome.get() instanceof IssuedTokens)) {
            return answer;
        }
        // Two slashes would lead to another host, and a proxy's field may have any prefix.
        return answer.asRedirectTo(contextPath.replaceFirst("^/{2,}", "/") + cookies.landing());
    }

    /**
     * The answer to a failure. The log gets all failures except outages and limits.
     *
     * @param failure the exception of {@link #to}
     * @return 503 or 429 for an {@link AuthUnavailableException}, 500 for all other exceptions
     */
    public static Answer toFailure(Throwable failure) {
        return Answer.ofFailure(
                failure, unexpected -> LOG.error("A login could not be answered with tokens", unexpected));
    }
}
