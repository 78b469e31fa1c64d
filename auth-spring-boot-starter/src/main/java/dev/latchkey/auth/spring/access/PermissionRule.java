package dev.latchkey.auth.spring.access;

import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.plugin.Subjects;
import java.util.function.Supplier;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** Asks the plugins for the permission of a request. */
final class PermissionRule implements AuthorizationManager<RequestAuthorizationContext> {

    private final AuthChain plugins;
    private final Subjects subjects;
    private final PermissionPattern pattern;

    PermissionRule(AuthChain plugins, PermissionPattern pattern) {
        this.plugins = plugins;
        this.subjects = new Subjects(plugins);
        this.pattern = pattern;
    }

    /** Called by Spring Security 7. Security 6 may call {@link #check} as well. */
    @Override
    public AuthorizationResult authorize(Supplier<Authentication> login, RequestAuthorizationContext request) {
        return decide(login, request);
    }

    @Override
    @Deprecated
    public AuthorizationDecision check(Supplier<Authentication> login, RequestAuthorizationContext request) {
        return decide(login, request);
    }

    private AuthorizationDecision decide(Supplier<Authentication> login, RequestAuthorizationContext request) {
        boolean granted = subjects.of(login.get())
                .filter(subject -> pattern.resolve(request.getVariables())
                        .filter(permission -> plugins.authorize(subject, permission))
                        .isPresent())
                .isPresent();
        return new AuthorizationDecision(granted);
    }
}
