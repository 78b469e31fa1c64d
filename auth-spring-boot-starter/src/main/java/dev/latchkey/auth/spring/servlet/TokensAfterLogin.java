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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;

/** Answers a login with tokens, as the token endpoint does, in place of a redirect and a session. */
final class TokensAfterLogin implements AuthenticationSuccessHandler {

    private final LoginAnswers answers;
    private final RequestContexts contexts;
    private final SecurityContextHolderStrategy holder;
    private final Function<? super Authentication, TokenOptions> options;
    private final @Nullable LoginCookies cookies;

    /**
     * @param holder of the filter chain
     * @param options called at each login
     * @param cookies null for tokens in the body
     */
    TokensAfterLogin(
            LoginAnswers answers,
            RequestContexts contexts,
            SecurityContextHolderStrategy holder,
            Function<? super Authentication, TokenOptions> options,
            @Nullable LoginCookies cookies) {
        this.answers = answers;
        this.contexts = contexts;
        this.holder = holder;
        this.options = options;
        this.cookies = cookies;
    }

    @Override
    public void onAuthenticationSuccess(
            HttpServletRequest request, HttpServletResponse response, Authentication authentication)
            throws IOException {
        // A chain without explicit saves stores the context with the answer.
        holder.clearContext();
        Answer answer;
        try {
            RequestContext context = contexts.of(ServletHeaders.of(request), () -> ServletHeaders.addressOf(request));
            answer = answers.to(
                    authentication, context, options.apply(authentication), cookies, request.getContextPath());
        } catch (AuthUnavailableException e) {
            ServletRefusals.write(e, request, response);
            return;
        } catch (RuntimeException e) {
            answer = LoginAnswers.toFailure(e);
        }
        ServletAnswers.write(answer, response);
    }
}
