package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.BearerChallenge;
import dev.latchkey.auth.spring.http.Challenges;
import dev.latchkey.auth.spring.http.PresentedCredentials;
import dev.latchkey.auth.spring.http.Problem;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveHeaders;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.RequestContexts;
import dev.latchkey.auth.spring.plugin.LatchkeyAuthentication;
import dev.latchkey.auth.spring.plugin.ReactivePlugins;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Authenticates a request by the bearer token, or the plugin's own kind of credentials, that it carries.
 *
 * <p>A request that carries none goes on unauthenticated, and the chain's own rules decide. One that carries any is either authenticated or ends
 * here: credentials that are not good are not the same as none. One that carries several ends with 400.
 */
final class ReactivePluginFilter implements WebFilter {

    private static final Logger LOG = LoggerFactory.getLogger(ReactivePluginFilter.class);

    private final ReactivePlugins plugins;
    private final PresentedCredentials reader;
    private final RequestContexts contexts;
    private final ReactiveRefusals refusals;
    private final Challenges challenges;

    ReactivePluginFilter(
            ReactivePlugins plugins, PresentedCredentials reader, RequestContexts contexts, ReactiveRefusals refusals) {
        this.plugins = plugins;
        this.reader = reader;
        this.contexts = contexts;
        this.refusals = refusals;
        this.challenges = Challenges.of(plugins.chain());
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.deferContextual(subscriber -> {
                    RequestContext context = contexts.of(
                            ReactiveHeaders.of(exchange), () -> ReactiveSource.addressOf(exchange, subscriber));
                    if (reader.areSeveral(context, plugins.chain())) {
                        return Mono.just(ReactiveAnswers.write(Answer.of(Problem.BAD_REQUEST), exchange));
                    }
                    Optional<Credentials> credentials = reader.in(context, plugins.chain());
                    return credentials.isEmpty()
                            ? Mono.just(chain.filter(exchange))
                            : plugins.authenticate(credentials.get(), context)
                                    .map(verdict -> answer(credentials.get(), verdict, exchange, chain));
                })
                .onErrorResume(failure ->
                        Mono.just(refusals.hold(failure).then(ReactiveAnswers.write(answerTo(failure), exchange))))
                // What comes next is not subscribed to until here, so its errors are its own.
                .flatMap(Function.identity());
    }

    private Mono<Void> answer(
            Credentials credentials, Verdict verdict, ServerWebExchange exchange, WebFilterChain chain) {
        if (verdict instanceof Authenticated authenticated) {
            return chain.filter(exchange)
                    .contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                            LatchkeyAuthentication.ofOneRequest(authenticated.subject(), authenticated.factors())));
        }
        Answer refusal =
                credentials instanceof BearerToken ? Answer.of(BearerChallenge.INVALID_TOKEN) : challenges.answer();
        return ReactiveAnswers.write(refusal, exchange);
    }

    private static Answer answerTo(Throwable failure) {
        if (failure instanceof AuthUnavailableException unavailable) {
            return Answer.of(unavailable);
        }
        LOG.error("A request was refused because its credentials could not be checked", failure);
        return Answer.of(Problem.INTERNAL_SERVER_ERROR);
    }
}
