package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.throttle.ThrottleResult;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way through the throttles that count requests: the next is asked when the one before has let it through.
 *
 * <p>Used by one thread at a time; what waits touches neither request nor response.
 */
final class RequestThrottle {

    private static final Logger LOG = LoggerFactory.getLogger(RequestThrottle.class);

    private final List<ThrottleRule> rules;
    private final List<ThrottleRule> toPass;
    private final ClientSource source;
    private final List<ThrottleFields> fields = new ArrayList<>();
    private int passed;

    @Nullable
    private CompletableFuture<ThrottleResult> passage;

    @Nullable
    private ThrottleRefusal refusal;

    RequestThrottle(List<ThrottleRule> rules, ClientSource source) {
        this.rules = rules;
        this.toPass =
                rules.stream().filter(rule -> !rule.endpoints().countsBytes()).toList();
        this.source = source;
    }

    /** All that are for the request, those that count bytes too. */
    List<ThrottleRule> rules() {
        return rules;
    }

    /** Goes as far as it can without waiting; true if the request has passed all throttles, or one has refused it. */
    boolean isReady(HttpServletRequest request) {
        while (refusal == null && passed < toPass.size()) {
            ThrottleRule rule = toPass.get(passed);
            if (passage == null) {
                passage = rule.client(request.getUserPrincipal(), source).acquire(1);
            }
            if (!passage.isDone()) {
                return false;
            }
            ThrottleResult answer = passage.join();
            if (answer instanceof ThrottleResult.Refused refused) {
                refusal = new ThrottleRefusal(rule, refused);
            } else if (answer instanceof ThrottleResult.Passed granted) {
                ThrottleFields.of(rule, granted).ifPresent(fields::add);
            }
            passage = null;
            passed++;
        }
        return true;
    }

    /** What the caller is told of the limits that it has passed. */
    List<ThrottleFields> fields() {
        return fields;
    }

    Optional<ThrottleRefusal> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** Runs the action, which must be short, when there is more to learn from {@link #isReady}. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails in the action ends in run()
    void whenAnswered(Runnable action) {
        if (passage == null) {
            action.run();
            return;
        }
        passage.whenComplete((answer, cancelled) -> {
            if (cancelled == null) {
                run(action);
            }
        });
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (IllegalStateException e) {
            LOG.debug("The request ended while it waited for its turn", e);
        }
    }

    /** Gives the place in the queue up. */
    void cancel() {
        CompletableFuture<ThrottleResult> waiting = passage;
        if (waiting != null) {
            waiting.cancel(false);
        }
    }

    /** Waits with the thread, where a filter or servlet of the service does not support asynchronous processing. */
    void await(HttpServletRequest request) {
        while (!isReady(request)) {
            if (passage != null) {
                ThrottleRule rule = toPass.get(passed);
                rule.await(passage).ifPresent(refused -> refusal = new ThrottleRefusal(rule, refused));
            }
        }
    }
}
