package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.spring.http.Answer;
import dev.latchkey.auth.spring.http.ReactiveAnswers;
import dev.latchkey.auth.spring.http.ReactiveRefusals;
import dev.latchkey.auth.spring.plugin.ReactivePlugins;
import dev.latchkey.auth.spring.plugin.SessionRevocations;
import dev.latchkey.auth.spring.plugin.Subjects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Takes away a login of Spring Security that the login endpoint would reject, as on servlets. */
final class ReactiveOtherLoginsFilter implements WebFilter {

    private final ReactivePlugins plugins;
    private final Subjects subjects;
    private final @Nullable SessionRevocations revocations;
    private final ReactiveRefusals refusals;

    /** @param revocations null in a service without a revocation store */
    ReactiveOtherLoginsFilter(
            ReactivePlugins plugins, @Nullable SessionRevocations revocations, ReactiveRefusals refusals) {
        this.plugins = plugins;
        this.subjects = new Subjects(plugins.chain());
        this.revocations = revocations;
        this.refusals = refusals;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return ReactiveSecurityContextHolder.getContext()
                .mapNotNull(SecurityContext::getAuthentication)
                .flatMap(this::isRejected)
                .defaultIfEmpty(false)
                .map(isRejected -> isRejected
                        ? chain.filter(exchange).contextWrite(ReactiveSecurityContextHolder.clearContext())
                        : chain.filter(exchange))
                .onErrorResume(
                        AuthUnavailableException.class,
                        failure -> Mono.just(
                                refusals.hold(failure).then(ReactiveAnswers.write(Answer.of(failure), exchange))))
                .flatMap(Function.identity());
    }

    private Mono<Boolean> isRejected(Authentication login) {
        if (subjects.hasForeignName(login)) {
            return Mono.just(true);
        }
        return revocations == null || revocations.subjectOf(login).isEmpty()
                ? Mono.just(false)
                : plugins.ask(() -> revocations.isBarred(login));
    }
}
