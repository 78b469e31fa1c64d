package dev.latchkey.throttle.spring.operations;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSnapshot;
import dev.latchkey.throttle.spring.ThrottleControls;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.lang.Nullable;

/**
 * The actuator's endpoint {@code latchkeythrottles}: the throttles of the service, and their rates. An operator may
 * change rates at run time. Boot offers the same operations over HTTP and over JMX.
 *
 * <p>By default the endpoint is read-only; {@code management.endpoint.latchkeythrottles.access=unrestricted} allows
 * changes, and {@link ThrottleAudit} audits each change.
 */
@Endpoint(id = "latchkeythrottles", defaultAccess = Access.READ_ONLY)
final class ThrottleEndpoint {

    /** The user of every JMX operation, because JMX has no user names. */
    private static final String BY_JMX = "jmx";

    private static final Duration A_SECOND = Duration.ofSeconds(1);

    private final ThrottleControls controls;

    ThrottleEndpoint(ThrottleControls controls) {
        this.controls = controls;
    }

    /** A throttle and its present rates; scopes in lower case, as in the meters' tags. */
    record Throttled(int waiting, long passed, long refused, Map<String, Rate> rates, Map<String, Long> buckets) {

        static Throttled of(ThrottleSnapshot snapshot) {
            return new Throttled(
                    snapshot.waiting(),
                    snapshot.passed(),
                    snapshot.refused(),
                    byCode(snapshot.rates(), Rate::of),
                    byCode(snapshot.buckets(), count -> count));
        }
    }

    /** The number of tokens, their time (ISO-8601), and the burst. */
    record Rate(long tokens, String per, long burst) {

        static Rate of(BucketRate rate) {
            return new Rate(rate.tokens(), rate.per().toString(), rate.burst());
        }
    }

    @ReadOperation
    Map<String, Throttled> throttles() {
        Map<String, Throttled> named = new TreeMap<>();
        controls.snapshots().forEach(each -> named.put(each.name(), Throttled.of(each)));
        return named;
    }

    /**
     * Changes the rate of a scope, or sets a new rate. Without {@code per} the tokens are for a second. The types allow
     * a JMX console to show a field for each parameter. Over HTTP, {@link ThrottleWebEndpoint} replaces this operation.
     */
    @WriteOperation
    Throttled changeRate(
            @Selector String throttle, ThrottleScope scope, Long tokens, @Nullable String per, @Nullable Long burst) {
        return as(BY_JMX, throttle, () -> change(throttle, scope, tokens, per, burst));
    }

    /** Removes the limit of a scope. Requests that already wait still pass at the old rate. */
    @DeleteOperation
    Throttled removeRate(@Selector String throttle, @Selector ThrottleScope scope) {
        return as(BY_JMX, throttle, () -> remove(throttle, scope));
    }

    void change(
            String throttle,
            @Nullable ThrottleScope scope,
            @Nullable Long tokens,
            @Nullable String per,
            @Nullable Long burst) {
        ThrottleScope changed = required("scope", scope);
        long count = required("tokens", tokens);
        Duration time = per == null ? A_SECOND : DurationStyle.detectAndParse(per);
        if (time.compareTo(A_SECOND) < 0) {
            // A number without a unit is milliseconds.
            throw new IllegalArgumentException("The parameter 'per' is at least a second, with its unit, as in 1m");
        }
        BucketRate smooth = BucketRate.of(count, time);
        controls.changeRate(throttle, changed, burst == null ? smooth : smooth.withBurst(burst));
    }

    /** Boot refuses a missing parameter, and converts an empty parameter to null. */
    private static <V> V required(String parameter, @Nullable V value) {
        if (value == null) {
            throw new IllegalArgumentException("The parameter '" + parameter + "' is missing");
        }
        return value;
    }

    void remove(String throttle, ThrottleScope scope) {
        controls.removeRate(throttle, scope);
    }

    /** Runs a change of this throttle in the name of the user. */
    Throttled as(String caller, String throttle, Runnable change) {
        try {
            ThrottleAudit.as(caller, change);
            return Throttled.of(controls.snapshot(throttle));
        } catch (IllegalArgumentException | ArithmeticException e) {
            String reason = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(reason, reason);
        }
    }

    private static <V, R> Map<String, R> byCode(Map<ThrottleScope, V> values, Function<V, R> change) {
        Map<String, R> sorted = new TreeMap<>();
        values.forEach((scope, value) -> sorted.put(scope.name().toLowerCase(Locale.ROOT), change.apply(value)));
        return sorted;
    }
}
