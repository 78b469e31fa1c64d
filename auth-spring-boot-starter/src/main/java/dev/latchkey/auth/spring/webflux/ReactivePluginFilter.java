package dev.latchkey.auth.spring.webflux;

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
import dev.latchkey.auth.spring.token.RevocationReasons;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Authenticates a request by its bearer token, or by credentials of a plugin's own kind.
 *
 * <p>A request without credentials continues unauthenticated, and the chain's own rules decide. A request with invalid
 * credentials ends here, because invalid credentials differ from missing credentials. A request with several credentials ends
 * with 400.
 */
final class ReactivePluginFilter implements WebFilter {

    private static final Logger LOG = LoggerFactory.getLogger(ReactivePluginFilter.class);

    private final ReactivePlugins plugins;
    private final PresentedCredentials reader;
    private final RequestContexts contexts;
    private final ReactiveRefusals refusals;
    private final Challenges challenges;
    private final @Nullable RevocationReasons reasons;
    private volatile boolean keepsBasic = true;

    ReactivePluginFilter(
            ReactivePlugins plugins,
            PresentedCredentials reader,
            RequestContexts contexts,
            ReactiveRefusals refusals,
            @Nullable RevocationReasons reasons) {
        this.reasons = reasons;
        this.plugins = plugins;
        this.reader = reader;
        this.contexts = contexts;
        this.refusals = refusals;
        this.challenges = Challenges.of(plugins.chain());
    }

    /** The chain has no login of Spring Security, and Spring Security would ask for HTTP Basic all the same. */
    void leaveOutBasic() {
        keepsBasic = false;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.deferContextual(subscriber -> {
                    RequestContext context = contexts.of(
                            ReactiveHeaders.of(exchange), () -> ReactiveSource.addressOf(exchange, subscriber));
                    PresentedCredentials.Found found = reader.in(context, plugins.chain());
                    if (found.areSeveral()) {
                        return Mono.just(ReactiveAnswers.write(Answer.of(Problem.BAD_REQUEST), exchange));
                    }
                    Credentials credentials = found.credentials();
                    return credentials == null
                            ? Mono.just(withoutCredentials(exchange, chain))
                            : plugins.authenticate(credentials, context)
                                    .map(verdict -> answer(credentials, verdict, exchange, chain));
                })
                .onErrorResume(failure ->
                        Mono.just(refusals.hold(failure).then(ReactiveAnswers.write(answerTo(failure), exchange))))
                // The rest of the chain is subscribed here, so its errors stay outside of the error handling above.
                .flatMap(Function.identity());
    }

    private Mono<Void> answer(
            Credentials credentials, Verdict verdict, ServerWebExchange exchange, WebFilterChain chain) {
        if (verdict instanceof Authenticated authenticated) {
            return chain.filter(exchange)
                    .contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                            LatchkeyAuthentication.ofOneRequest(authenticated.subject(), authenticated.factors())));
        }
        if (ReactiveCarriedTokenFilter.hasCarried(exchange)) {
            // The browser adds the cookie to the requests of public pages too.
            return withoutCredentials(exchange, chain);
        }
        if (credentials instanceof BearerToken token && reasons != null) {
            RevocationReasons present = reasons;
            return plugins.ask(() -> present.answerTo(token))
                    .onErrorResume(failure -> Mono.just(answerTo(failure)))
                    .flatMap(refusal -> ReactiveAnswers.write(refusal, exchange));
        }
        Answer refusal =
                credentials instanceof BearerToken ? Answer.of(BearerChallenge.INVALID_TOKEN) : challenges.answer();
        return ReactiveAnswers.write(refusal, exchange);
    }

    /** Spring Security's entry point names HTTP Basic alone, also in a chain without HTTP Basic. */
    private Mono<Void> withoutCredentials(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpResponse response = exchange.getResponse();
        response.beforeCommit(() -> {
            HttpHeaders fields = response.getHeaders();
            challenges
                    .besideBasic(fields.getFirst(HttpHeaders.WWW_AUTHENTICATE))
                    .ifPresent(others -> {
                        if (keepsBasic) {
                            fields.add(HttpHeaders.WWW_AUTHENTICATE, others);
                        } else {
                            fields.set(HttpHeaders.WWW_AUTHENTICATE, others);
                        }
                    });
            return Mono.empty();
        });
        return chain.filter(exchange);
    }

    private static Answer answerTo(Throwable failure) {
        return Answer.ofFailure(
                failure, e -> LOG.error("A request was refused because its credentials could not be checked", e));
    }
}
