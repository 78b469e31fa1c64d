package dev.latchkey.auth.spring.access;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import reactor.core.publisher.Mono;

/** A rule of a WebFlux filter chain that looks at the login alone. */
final class ReactiveProofRule implements ReactiveAuthorizationManager<AuthorizationContext> {

    private final Function<@Nullable Authentication, AuthorizationDecision> decision;

    ReactiveProofRule(Function<@Nullable Authentication, AuthorizationDecision> decision) {
        this.decision = decision;
    }

    /** What Spring Security 7 asks; 6 asks {@link #check} as well. */
    @Override
    public Mono<AuthorizationResult> authorize(Mono<Authentication> login, AuthorizationContext request) {
        return decide(login).cast(AuthorizationResult.class);
    }

    @Override
    @Deprecated
    public Mono<AuthorizationDecision> check(Mono<Authentication> login, AuthorizationContext request) {
        return decide(login);
    }

    private Mono<AuthorizationDecision> decide(Mono<Authentication> login) {
        return login.map(decision)
                .flatMap(decided -> decided.isGranted() ? Mono.just(decided) : denied(decided))
                .switchIfEmpty(Mono.fromSupplier(() -> decision.apply(null)));
    }

    /** Spring Security's own exception for a denial has no decision on WebFlux, and so no word of what the client can do. */
    private static Mono<AuthorizationDecision> denied(AuthorizationDecision decided) {
        return Mono.error(new AuthorizationDeniedException("The login was proved too long ago", decided));
    }
}
