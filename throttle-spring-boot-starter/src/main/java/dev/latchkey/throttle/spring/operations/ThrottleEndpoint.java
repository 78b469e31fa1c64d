package dev.latchkey.throttle.spring.operations;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSnapshot;
import dev.latchkey.throttle.spring.ThrottleControls;
import java.security.Principal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
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
    static final String BY_JMX = "jmx";

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

    /** Changes the rate of a scope, or sets one where there was none. Without {@code per} the tokens are those of a second. */
    @WriteOperation
    Throttled changeRate(
            SecurityContext caller,
            @Selector String throttle,
            ThrottleScope scope,
            long tokens,
            @Nullable Duration per,
            @Nullable Long burst) {
        return change(caller, throttle, () -> {
            BucketRate smooth = BucketRate.of(tokens, per == null ? Duration.ofSeconds(1) : per);
            controls.changeRate(throttle, scope, burst == null ? smooth : smooth.withBurst(burst));
        });
    }

    /** Ends the limit of a scope; requests that wait for it already still pass at its rate. */
    @DeleteOperation
    Throttled removeRate(SecurityContext caller, @Selector String throttle, @Selector ThrottleScope scope) {
        return change(caller, throttle, () -> controls.removeRate(throttle, scope));
    }

    private Throttled change(SecurityContext caller, String throttle, Runnable change) {
        try {
            ThrottleAudit.as(nameOf(caller), change);
            return Throttled.of(controls.snapshot(throttle));
        } catch (IllegalArgumentException | ArithmeticException e) {
            String reason = String.valueOf(e.getMessage());
            throw new InvalidEndpointRequestException(reason, reason);
        }
    }

    /** For calls by JMX Boot has this one context. A web server has another one, with or without a name. */
    private static String nameOf(SecurityContext caller) {
        Principal principal = caller.getPrincipal();
        if (principal != null) {
            return principal.getName();
        }
        return SecurityContext.NONE.equals(caller) ? BY_JMX : "";
    }

    private static <V, R> Map<String, R> byCode(Map<ThrottleScope, V> values, Function<V, R> change) {
        Map<String, R> sorted = new TreeMap<>();
        values.forEach((scope, value) -> sorted.put(scope.name().toLowerCase(Locale.ROOT), change.apply(value)));
        return sorted;
    }
}
