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

/** The actuator's endpoint {@code latchkeylimits}: how many logins may fail. {@code latchkey} shows the limits. */
@Endpoint(id = "latchkeylimits", defaultAccess = Access.READ_ONLY)
final class LimitsEndpoint {

    private final Operator operator;

    LimitsEndpoint(Operator operator) {
        this.operator = operator;
    }

    /**
     * Changes a bucket, in the window of this number; the number may be left out where the bucket has one window. Types are such that a console of JMX
     * can show a field for each; over HTTP {@link Web} stands before this operation.
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

    /** The same change over HTTP, where the caller has a name. JMX would show the caller as one more field to fill in. */
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
