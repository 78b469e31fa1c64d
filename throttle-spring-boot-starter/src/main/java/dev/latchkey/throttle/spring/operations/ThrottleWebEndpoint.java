package dev.latchkey.throttle.spring.operations;

import dev.latchkey.throttle.ThrottleScope;
import java.security.Principal;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.lang.Nullable;

/**
 * The changes of {@link ThrottleEndpoint} over HTTP, with the user's name. In JMX, the user would be a further field to
 * fill in.
 */
@EndpointWebExtension(endpoint = ThrottleEndpoint.class)
final class ThrottleWebEndpoint {

    private final ThrottleEndpoint endpoint;

    ThrottleWebEndpoint(ThrottleEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    @WriteOperation
    ThrottleEndpoint.Throttled changeRate(
            SecurityContext caller,
            @Selector String throttle,
            ThrottleScope scope,
            Long tokens,
            @Nullable String per,
            @Nullable Long burst) {
        return endpoint.as(nameOf(caller), throttle, () -> endpoint.change(throttle, scope, tokens, per, burst));
    }

    @DeleteOperation
    ThrottleEndpoint.Throttled removeRate(
            SecurityContext caller, @Selector String throttle, @Selector ThrottleScope scope) {
        return endpoint.as(nameOf(caller), throttle, () -> endpoint.remove(throttle, scope));
    }

    private static String nameOf(SecurityContext caller) {
        Principal principal = caller.getPrincipal();
        return principal == null ? "" : principal.getName();
    }
}
