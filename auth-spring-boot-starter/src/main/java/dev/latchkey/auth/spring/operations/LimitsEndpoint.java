package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimits;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.lang.Nullable;

/** The actuator endpoint {@code latchkeylimits}: changes login limits. */
@Endpoint(id = "latchkeylimits", defaultAccess = Access.READ_ONLY)
final class LimitsEndpoint {

    /** A shorter window limits nothing. A number without a unit is milliseconds. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private final Operator operator;

    LimitsEndpoint(Operator operator) {
        this.operator = operator;
    }

    /**
     * Changes a window of a bucket. The window is optional for a bucket with one window. The parameters have types for which JMX
     * consoles show a field. Over HTTP, {@link Web} replaces this operation.
     */
    @WriteOperation
    Object changeLimit(@Selector String bucket, @Nullable Integer window, Long tokens, String per) {
        return change(SecurityContext.NONE, bucket, window, tokens, per);
    }

    Object change(SecurityContext caller, String bucket, @Nullable Integer window, @Nullable Long tokens, String per) {
        return operator.change(
                caller,
                "limit",
                () -> change(
                        LimitNames.bucket(bucket),
                        window,
                        required("tokens", tokens),
                        DurationStyle.detectAndParse(per)));
    }

    /** Boot refuses a missing parameter, and converts an empty parameter to null. */
    private static <V> V required(String parameter, @Nullable V value) {
        if (value == null) {
            throw new IllegalArgumentException("The parameter '" + parameter + "' is missing");
        }
        return value;
    }

    private Map<String, Object> change(LoginBucket bucket, @Nullable Integer number, long tokens, Duration per) {
        LoginLimits limits = operator.unique(LoginLimits.class, "There are no login limits, or several");
        int windows = limits.settings().policy(bucket).windows().size();
        int window = windows > 1 ? required("window", number) : Objects.requireNonNullElse(number, 0);
        if (per.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("The parameter 'per' is at least a second, with its unit, as in 5m");
        }
        limits.change(bucket, window, LimitWindow.of(tokens, per));
        return Map.of("bucket", LimitNames.of(bucket), "window", window, "tokens", tokens, "per", per.toString());
    }

    /** The operation over HTTP, with the caller's name. Over JMX, the caller would appear as a field. */
    @EndpointWebExtension(endpoint = LimitsEndpoint.class)
    static final class Web {

        private final LimitsEndpoint endpoint;

        Web(LimitsEndpoint endpoint) {
            this.endpoint = endpoint;
        }

        @WriteOperation
        Object changeLimit(
                SecurityContext caller, @Selector String bucket, @Nullable Integer window, Long tokens, String per) {
            return endpoint.change(caller, bucket, window, tokens, per);
        }
    }
}
