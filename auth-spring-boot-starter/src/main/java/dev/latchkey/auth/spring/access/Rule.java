package dev.latchkey.auth.spring.access;

import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/**
 * A rule of a servlet filter chain. A lambda in place of this record, compiled against Spring Security 6, would have no
 * {@code authorize} on version 7.
 *
 * @param decision from the login and the request; null without a login
 */
record Rule(BiFunction<@Nullable Authentication, RequestAuthorizationContext, AuthorizationDecision> decision)
        implements AuthorizationManager<RequestAuthorizationContext> {

    /** A rule of the login alone. The caller needs no lambda with a type of spring-security-web. This module may be missing. */
    static Rule ofLogins(Function<@Nullable Authentication, AuthorizationDecision> decision) {
        return new Rule((login, request) -> decision.apply(login));
    }

    /** Called by Spring Security 7. Version 6 may call {@link #check} as well. */
    @Override
    public AuthorizationResult authorize(Supplier<Authentication> login, RequestAuthorizationContext request) {
        return decision.apply(login.get(), request);
    }

    @Override
    @Deprecated
    public AuthorizationDecision check(Supplier<Authentication> login, RequestAuthorizationContext request) {
        return decision.apply(login.get(), request);
    }
}
