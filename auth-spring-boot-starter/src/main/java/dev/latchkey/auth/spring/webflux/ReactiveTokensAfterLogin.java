package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.endpoint.LoginAnswers;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.login.TokenOptions;
import java.util.Objects;
import java.util.function.Function;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.WebFilterExchange;
import org.springframework.security.web.server.authentication.ServerAuthenticationSuccessHandler;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Answers a login with tokens, as the token endpoint does, in place of a redirect. Keep the login out of the session:
 *
 * <pre>{@code
 * http.oauth2Login(login -> login.authenticationSuccessHandler(tokens)
 *         .securityContextRepository(NoOpServerSecurityContextRepository.getInstance()))
 * }</pre>
 *
 * <p>No event loop waits for the stores. Immutable; safe for use by any number of threads.
 */
public final class ReactiveTokensAfterLogin implements ServerAuthenticationSuccessHandler {

    private final LoginAnswers answers;
    private final ReactiveWork work;
    private final RequestContexts contexts;
    private final Function<? super Authentication, TokenOptions> options;

    ReactiveTokensAfterLogin(LoginAnswers answers, ReactiveWork work, RequestContexts contexts) {
        this(answers, work, contexts, login -> TokenOptions.defaults());
    }

    private ReactiveTokensAfterLogin(
            LoginAnswers answers,
            ReactiveWork work,
            RequestContexts contexts,
            Function<? super Authentication, TokenOptions> options) {
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
        return new ReactiveTokensAfterLogin(answers, work, contexts, Objects.requireNonNull(options, "options"));
    }

    @Override
    public Mono<Void> onAuthenticationSuccess(WebFilterExchange filter, Authentication login) {
        ServerWebExchange exchange = filter.getExchange();
        return Mono.deferContextual(subscriber -> work.run(() -> answers.to(
                                login,
                                contexts.of(
                                        ReactiveHeaders.of(exchange),
                                        () -> ReactiveSource.addressOf(exchange, subscriber)),
                                options.apply(login)))
                        .onErrorResume(failure -> Mono.just(LoginAnswers.toFailure(failure))))
                .flatMap(answer -> ReactiveAnswers.write(answer, exchange));
    }
}
