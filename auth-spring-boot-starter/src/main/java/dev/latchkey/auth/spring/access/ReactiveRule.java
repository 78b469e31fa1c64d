package dev.latchkey.auth.spring.access;

import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import reactor.core.publisher.Mono;

/**
 * A rule of a WebFlux filter chain. A lambda in place of this record, compiled against Spring Security 6, would have no
 * {@code authorize} on version 7. Safe for use by any number of threads if the decision is.
 *
 * @param decision from the login and the request; the {@code Mono} is empty without a login
 */
public record ReactiveRule(BiFunction<Mono<Authentication>, AuthorizationContext, Mono<AuthorizationDecision>> decision)
        implements ReactiveAuthorizationManager<AuthorizationContext> {

    /** A rule of the login alone. The caller needs no lambda with a type of Reactor: a servlet service may lack Reactor. */
    static ReactiveRule ofLogins(Function<@Nullable Authentication, AuthorizationDecision> decision) {
        return new ReactiveRule((login, request) -> login.map(decision)
                .flatMap(decided -> decided.isGranted() ? Mono.just(decided) : denied(decided))
                .switchIfEmpty(Mono.fromSupplier(() -> decision.apply(null))));
    }

    /** Denies with the decision, because the answer needs the decision. On WebFlux, Spring Security's own exception has none. */
    private static Mono<AuthorizationDecision> denied(AuthorizationDecision decided) {
        return Mono.error(new AuthorizationDeniedException("The login was proved too long ago", decided));
    }

    /** Called by Spring Security 7. Version 6 calls {@link #check} as well. */
    @Override
    public Mono<AuthorizationResult> authorize(Mono<Authentication> login, AuthorizationContext request) {
        return decision.apply(login, request).cast(AuthorizationResult.class);
    }

    @Override
    @Deprecated
    public Mono<AuthorizationDecision> check(Mono<Authentication> login, AuthorizationContext request) {
        return decision.apply(login, request);
    }
}
