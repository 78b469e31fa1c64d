package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.endpoint.LoginAnswers;
import dev.latchkey.auth.spring.http.LoginCookies;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.login.TokenOptions;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.WebFilterExchange;
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler;
import org.springframework.security.web.server.context.WebSessionServerSecurityContextRepository;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Answers a login with tokens, as the token endpoint does, in place of a redirect and a session:
 *
 * <pre>{@code
 * http.oauth2Login(login -> login.authenticationSuccessHandler(tokens)
 *         .securityContextRepository(NoOpServerSecurityContextRepository.getInstance()))
 * }</pre>
 *
 * <p>Without the repository, Spring Security saves the login in the session first. The handler takes the login away again, because
 * a second step may be missing. Another repository of the service must not save these logins.
 *
 * <p>No event loop waits for the stores. Immutable; safe for use by any number of threads.
 */
public final class ReactiveTokensAfterLogin implements ServerAuthenticationSuccessHandler {

    private final LoginAnswers answers;
    private final ReactiveWork work;
    private final RequestContexts contexts;
    private final Function<? super Authentication, TokenOptions> options;
    private final @Nullable LoginCookies cookies;

    ReactiveTokensAfterLogin(LoginAnswers answers, ReactiveWork work, RequestContexts contexts) {
        this(answers, work, contexts, login -> TokenOptions.defaults(), null);
    }

    private ReactiveTokensAfterLogin(
            LoginAnswers answers,
            ReactiveWork work,
            RequestContexts contexts,
            Function<? super Authentication, TokenOptions> options,
            @Nullable LoginCookies cookies) {
        this.cookies = cookies;
        this.answers = answers;
        this.work = work;
        this.contexts = contexts;
        this.options = options;
    }

    /**
     * Returns a handler with options for each login, such as the local account of an OpenID Connect login.
     *
     * @param options called at each login
     * @return a changed copy
     */
    public ReactiveTokensAfterLogin with(Function<? super Authentication, TokenOptions> options) {
        return new ReactiveTokensAfterLogin(
                answers, work, contexts, Objects.requireNonNull(options, "options"), cookies);
    }

    /**
     * Returns a handler with tokens in cookies and a redirect to the landing page.
     *
     * @param cookies the same as in {@link LatchkeyWebFlux#addTo(ServerHttpSecurity, LoginCookies)}
     * @return a changed copy
     */
    public ReactiveTokensAfterLogin inCookies(LoginCookies cookies) {
        return new ReactiveTokensAfterLogin(
                answers, work, contexts, options, Objects.requireNonNull(cookies, "cookies"));
    }

    @Override
    public Mono<Void> onAuthenticationSuccess(WebFilterExchange filter, Authentication login) {
        ServerWebExchange exchange = filter.getExchange();
        return withoutSession(exchange)
                .then(Mono.deferContextual(subscriber -> work.run(() -> answers.to(
                                        login,
                                        contexts.of(
                                                ReactiveHeaders.of(exchange),
                                                () -> ReactiveSource.addressOf(exchange, subscriber)),
                                        options.apply(login),
                                        cookies,
                                        exchange.getRequest()
                                                .getPath()
                                                .contextPath()
                                                .value()))
                                .onErrorResume(failure -> Mono.just(LoginAnswers.toFailure(failure))))
                        .flatMap(answer -> ReactiveAnswers.write(answer, exchange)));
    }

    private static Mono<Void> withoutSession(ServerWebExchange exchange) {
        return exchange.getSession()
                .doOnNext(session -> session.getAttributes()
                        .remove(WebSessionServerSecurityContextRepository.DEFAULT_SPRING_SECURITY_CONTEXT_ATTR_NAME))
                .then();
    }
}
