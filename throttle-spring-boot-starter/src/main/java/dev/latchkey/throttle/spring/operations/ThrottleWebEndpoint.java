package dev.latchkey.throttle.spring.operations;

import dev.latchkey.throttle.ThrottleScope;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
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
    Object changeRate(
            SecurityContext caller,
            @Selector String throttle,
            ThrottleScope scope,
            Long tokens,
            @Nullable String per,
            @Nullable Long burst) {
        return as(caller, throttle, () -> endpoint.change(throttle, scope, tokens, per, burst));
    }

    @DeleteOperation
    Object removeRate(SecurityContext caller, @Selector String throttle, @Selector ThrottleScope scope) {
        return as(caller, throttle, () -> endpoint.remove(throttle, scope));
    }

    /** Boot answers a refused change without the reason. */
    private Object as(SecurityContext caller, String throttle, Runnable change) {
        try {
            return endpoint.as(nameOf(caller), throttle, change);
        } catch (InvalidEndpointRequestException e) {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("status", WebEndpointResponse.STATUS_BAD_REQUEST);
            body.put("error", "Bad Request");
            body.put("message", e.getReason());
            return new WebEndpointResponse<>(body, WebEndpointResponse.STATUS_BAD_REQUEST);
        }
    }

    private static String nameOf(SecurityContext caller) {
        Principal principal = caller.getPrincipal();
        return principal == null ? "" : principal.getName();
    }
}
