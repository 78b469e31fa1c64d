package dev.latchkey.auth.spring.access;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/** A rule of a filter chain that looks at the login alone. */
final class ProofRule implements AuthorizationManager<RequestAuthorizationContext> {

    private final Function<@Nullable Authentication, AuthorizationDecision> decision;

    ProofRule(Function<@Nullable Authentication, AuthorizationDecision> decision) {
        this.decision = decision;
    }

    /** What Spring Security 7 asks; 6 may ask {@link #check} as well. */
    @Override
    public AuthorizationResult authorize(Supplier<Authentication> login, RequestAuthorizationContext request) {
        return decision.apply(login.get());
    }

    @Override
    @Deprecated
    public AuthorizationDecision check(Supplier<Authentication> login, RequestAuthorizationContext request) {
        return decision.apply(login.get());
    }
}
