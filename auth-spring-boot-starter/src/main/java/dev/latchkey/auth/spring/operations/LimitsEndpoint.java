package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.login.LoginLimits;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.lang.Nullable;

/** The actuator's endpoint {@code latchkeylimits}: changes login limits. */
@Endpoint(id = "latchkeylimits", defaultAccess = Access.READ_ONLY)
final class LimitsEndpoint {

    private final Operator operator;

    LimitsEndpoint(Operator operator) {
        this.operator = operator;
    }

    /**
     * Changes a window of a bucket. The window is optional for a bucket with one window. JMX consoles show a field for each of
     * these types. Over HTTP, {@link Web} replaces this operation.
     */
    @WriteOperation
    Map<String, Object> changeLimit(@Selector String bucket, @Nullable Integer window, Long tokens, String per) {
        return change(SecurityContext.NONE, bucket, window, tokens, per);
    }

    Map<String, Object> change(
            SecurityContext caller, String bucket, @Nullable Integer window, long tokens, String per) {
        LoginLimits limits = operator.unique(LoginLimits.class, "There are no login limits, or several");
        return operator.change(
                caller,
                "limit",
                () -> LimitChanges.limit(limits, bucket, window, tokens, DurationStyle.detectAndParse(per)));
    }

    /** The operation over HTTP, with the caller's name. Over JMX, the caller would appear as a field. */
    @EndpointWebExtension(endpoint = LimitsEndpoint.class)
    static final class Web {

        private final LimitsEndpoint endpoint;

        Web(LimitsEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        @WriteOperation
        Map<String, Object> changeLimit(
                SecurityContext caller, @Selector String bucket, @Nullable Integer window, Long tokens, String per) {
            return endpoint.change(caller, bucket, window, tokens, per);
        }
    }
}
