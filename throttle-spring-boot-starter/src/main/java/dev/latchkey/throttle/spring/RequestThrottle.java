package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.Acquisition;
import dev.latchkey.throttle.ThrottleClient;
import dev.latchkey.throttle.ThrottleResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request and its request-counting throttles, passed in order. The same on servlets and on WebFlux.
 *
 * <p>Safe for use by any number of threads. A waiting request touches neither the request nor the response.
 */
final class RequestThrottle {

    private final List<ThrottleRule> rules;
    private final Acquisition acquisition;

    private RequestThrottle(
            List<ThrottleRule> matching, @Nullable String principal, ClientSource source, boolean mayWait) {
        this.rules = matching.stream()
                .filter(rule -> !rule.endpoints().countsBytes())
                .toList();
        List<ThrottleClient> clients = ThrottleRule.clients(rules, principal, source);
        this.acquisition = mayWait ? Acquisition.begin(clients, 1) : Acquisition.beginWithoutWait(clients, 1);
    }

    /**
     * Calls the first throttle now, and each further throttle in its turn.
     *
     * @param mayWait whether the request waits for tokens, if a throttle has a longest wait
     */
    static RequestThrottle begin(
            List<ThrottleRule> matching, @Nullable String principal, ClientSource source, boolean mayWait) {
        return new RequestThrottle(matching, principal, source, mayWait);
    }

    /**
     * Completes when the request has passed all throttles, or a throttle has refused the request. Cancel the future
     * when the client leaves.
     */
    CompletableFuture<ThrottleResult> result() {
        return acquisition.result();
    }

    /** Blocks the calling thread. Returns the refusal, or empty if the request has passed. */
    Optional<ThrottleRefusal> await() {
        return ThrottleRule.await(result(), ThrottleRule.longestWait(rules)).map(this::refusal);
    }

    /** The refusal for the client. */
    ThrottleRefusal refusal(ThrottleResult.Refused refused) {
        return new ThrottleRefusal(rules.get(acquisition.position()), refused);
    }

    /** The header fields for the client, with the limits that the request has passed. */
    List<ThrottleFields> fields() {
        List<ThrottleFields> fields = new ArrayList<>();
        List<ThrottleResult.Passed> passed = acquisition.passed();
        for (int i = 0; i < passed.size(); i++) {
            ThrottleFields.of(rules.get(i), passed.get(i)).ifPresent(fields::add);
        }
        return fields;
    }
}
