package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Verdict;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.web.server.csrf.CsrfWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Authenticates a request by the bearer token, or the plugin's own kind of credentials, that it carries.
 *
 * <p>A request that carries none goes on unauthenticated, and the chain's own rules decide. One that carries any is either
 * authenticated or ends here: credentials that are not good are not the same as none.
 */
final class ReactivePluginFilter implements WebFilter {

    private static final Logger LOG = LoggerFactory.getLogger(ReactivePluginFilter.class);

    private final ReactivePlugins plugins;

    ReactivePluginFilter(ReactivePlugins plugins) {
        this.plugins = plugins;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.defer(() -> {
                    Optional<Credentials> credentials = ReactiveHeaders.credentials(exchange, plugins.chain());
                    return credentials.isEmpty()
                            ? Mono.just(chain.filter(exchange))
                            : plugins.authenticate(credentials.get())
                                    .map(verdict -> answer(credentials.get(), verdict, exchange, chain));
                })
                .onErrorResume(failure -> Mono.just(refusal(failure, exchange)))
                // What comes next is not subscribed to until here, so its errors are its own.
                .flatMap(Function.identity());
    }

    private static Mono<Void> answer(
            Credentials credentials, Verdict verdict, ServerWebExchange exchange, WebFilterChain chain) {
        if (verdict instanceof Authenticated authenticated) {
            return chain.filter(exchange)
                    .contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                            new LatchkeyAuthentication(authenticated.subject())));
        }
        return ReactiveProblems.write(
                credentials instanceof BearerToken ? BearerChallenge.INVALID_TOKEN : BearerChallenge.PLAIN, exchange);
    }

    private static Mono<Void> refusal(Throwable failure, ServerWebExchange exchange) {
        if (failure instanceof AuthUnavailableException unavailable) {
            return ReactiveProblems.writeUnavailable(unavailable, exchange);
        }
        LOG.error("A request was refused because its credentials could not be checked", failure);
        return ReactiveProblems.write(Problem.INTERNAL_SERVER_ERROR, exchange);
    }

    /** A header that a script must set on purpose is not sent by a foreign page, so there is nothing to forge. */
    static Mono<Void> withoutCsrfForTokens(ServerWebExchange exchange, WebFilterChain chain) {
        if (ReactiveHeaders.bearerText(exchange).isPresent()) {
            CsrfWebFilter.skipExchange(exchange);
        }
        return chain.filter(exchange);
    }
}
