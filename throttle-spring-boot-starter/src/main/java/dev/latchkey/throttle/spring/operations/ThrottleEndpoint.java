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
 * The actuator's endpoint {@code latchkeythrottles}: the throttles of the service, and their rates, which an operator may change while the service
 * runs. Boot shows the same operations over HTTP and over JMX.
 *
 * <p>By default the endpoint can be read; {@code management.endpoint.latchkeythrottles.access=unrestricted} allows changes as well, each of which is
 * audited by {@link ThrottleAudit}.
 */
@Endpoint(id = "latchkeythrottles", defaultAccess = Access.READ_ONLY)
final class ThrottleEndpoint {

    /** The caller of every operation that is called by JMX, which knows no names. */
    private static final String BY_JMX = "jmx";

    private final ThrottleControls controls;

    ThrottleEndpoint(ThrottleControls controls) {
        this.controls = controls;
    }

    /** A throttle, and the rates that hold now; scopes in lower case as in the meters' tags. */
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

    /** So many tokens in so long (ISO-8601), and so many at once. */
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
     * Changes the rate of a scope, or sets one where there was none. Without {@code per} the tokens are those of a second. Types are such that a console
     * of JMX can show a field for each; over HTTP {@link ThrottleWebEndpoint} stands before this operation.
     */
    @WriteOperation
    Throttled changeRate(
            @Selector String throttle, ThrottleScope scope, Long tokens, @Nullable String per, @Nullable Long burst) {
        return as(BY_JMX, throttle, () -> change(throttle, scope, tokens, per, burst));
    }

    /** Ends the limit of a scope; requests that wait for it already still pass at its rate. */
    @DeleteOperation
    Throttled removeRate(@Selector String throttle, @Selector ThrottleScope scope) {
        return as(BY_JMX, throttle, () -> remove(throttle, scope));
    }

    void change(String throttle, ThrottleScope scope, long tokens, @Nullable String per, @Nullable Long burst) {
        BucketRate smooth =
                BucketRate.of(tokens, per == null ? Duration.ofSeconds(1) : DurationStyle.detectAndParse(per));
        controls.changeRate(throttle, scope, burst == null ? smooth : smooth.withBurst(burst));
    }

    void remove(String throttle, ThrottleScope scope) {
        controls.removeRate(throttle, scope);
    }

    /** Makes a change of this throttle in the name of the caller. */
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
