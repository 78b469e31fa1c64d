package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.spring.endpoint.LoginAnswers;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.http.ServletAnswers;
import dev.latchkey.auth.spring.http.ServletHeaders;
import dev.latchkey.auth.spring.http.ServletRefusals;
import dev.latchkey.auth.spring.login.TokenOptions;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;

/**
 * Answers a login with tokens, as the token endpoint does, in place of a redirect:
 *
 * <pre>{@code
 * http.oauth2Login(login -> login.successHandler(tokens))
 * }</pre>
 *
 * <p>{@link LatchkeyHttpConfigurer#issueAfter} does so as well, and keeps the login out of the session and of remember-me cookies. Immutable; safe for use by any number of threads.
 */
public final class TokensAfterLogin implements AuthenticationSuccessHandler {

    private final LoginAnswers answers;
    private final RequestContexts contexts;
    private final Function<? super Authentication, TokenOptions> options;
    private final @Nullable LoginCookies cookies;

    TokensAfterLogin(LoginAnswers answers, RequestContexts contexts) {
        this(answers, contexts, login -> TokenOptions.defaults(), null);
    }

    private TokensAfterLogin(
            LoginAnswers answers,
            RequestContexts contexts,
            Function<? super Authentication, TokenOptions> options,
            @Nullable LoginCookies cookies) {
        this.answers = answers;
        this.contexts = contexts;
        this.options = options;
        this.cookies = cookies;
    }

    /**
     * Returns a handler with options for each login, such as the local account of an OpenID Connect login.
     *
     * @param options called at each login
     * @return a changed copy
     */
    public TokensAfterLogin with(Function<? super Authentication, TokenOptions> options) {
        return new TokensAfterLogin(answers, contexts, Objects.requireNonNull(options, "options"), cookies);
    }

    /**
     * Returns a handler with tokens in cookies and a redirect to the landing page. {@link LatchkeyHttpConfigurer#cookies} lets
     * the filter chain read them.
     *
     * @param cookies the same as of the filter chain
     * @return a changed copy
     */
    public TokensAfterLogin inCookies(LoginCookies cookies) {
        return new TokensAfterLogin(answers, contexts, options, Objects.requireNonNull(cookies, "cookies"));
    }

    @Override
    public void onAuthenticationSuccess(
            HttpServletRequest request, HttpServletResponse response, Authentication authentication)
            throws IOException {
        Answer answer;
        try {
            RequestContext context = contexts.of(ServletHeaders.of(request), () -> ServletHeaders.addressOf(request));
            TokenOptions ofThisLogin = options.apply(authentication);
            answer = cookies == null
                    ? answers.to(authentication, context, ofThisLogin)
                    : answers.inCookies(authentication, context, ofThisLogin, cookies);
        } catch (AuthUnavailableException e) {
            ServletRefusals.write(e, request, response);
            return;
        } catch (RuntimeException e) {
            answer = LoginAnswers.toFailure(e);
        }
        ServletAnswers.write(answer, response);
    }
}
