package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.spring.access.PermissionPattern;
import dev.latchkey.auth.spring.plugin.ReactivePlugins;
import dev.latchkey.auth.spring.plugin.Subjects;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.authorization.ReactiveAuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.authorization.AuthorizationContext;
import reactor.core.publisher.Mono;

/** Asks the plugins whether the subject may use the resource of the request. */
final class ReactivePermissionRule implements ReactiveAuthorizationManager<AuthorizationContext> {

    private final ReactivePlugins plugins;
    private final Subjects subjects;
    private final PermissionPattern pattern;

    ReactivePermissionRule(ReactivePlugins plugins, PermissionPattern pattern) {
        this.plugins = plugins;
        this.subjects = new Subjects(plugins.chain());
        this.pattern = pattern;
    }

    /** Called by Spring Security 7; version 6 calls {@link #check} as well. */
    @Override
    public Mono<AuthorizationResult> authorize(Mono<Authentication> login, AuthorizationContext request) {
        return decide(login, request).cast(AuthorizationResult.class);
    }

    @Override
    @Deprecated
    public Mono<AuthorizationDecision> check(Mono<Authentication> login, AuthorizationContext request) {
        return decide(login, request);
    }

    private Mono<AuthorizationDecision> decide(Mono<Authentication> login, AuthorizationContext request) {
        return login.mapNotNull(caller -> subjects.of(caller).orElse(null))
                .flatMap(subject -> isGranted(subject, request))
                .defaultIfEmpty(false)
                .map(AuthorizationDecision::new);
    }

    private Mono<Boolean> isGranted(Subject subject, AuthorizationContext request) {
        return Mono.justOrEmpty(pattern.resolve(request.getVariables()))
                .flatMap(permission -> plugins.authorize(subject, permission));
    }
}
