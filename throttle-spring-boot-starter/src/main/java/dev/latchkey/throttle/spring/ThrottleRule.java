package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.throttle.SharedThrottles;
import dev.latchkey.throttle.Throttle;
import dev.latchkey.throttle.ThrottleClient;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleResult;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.spring.ThrottleProperties.Endpoints;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.util.AntPathMatcher;

/** A throttle and the endpoints that it limits. */
record ThrottleRule(String name, Endpoints endpoints, Throttle throttle) {

    private static final AntPathMatcher PATHS = new AntPathMatcher();
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    /** A throttle with rates for this node alone. */
    static ThrottleRule of(String name, Endpoints endpoints, GuardTime time, ThrottleListener listener) {
        return new ThrottleRule(name, endpoints, Throttle.of(endpoints.settings(name), time, listener));
    }

    /** A throttle with rates shared by all nodes. */
    static ThrottleRule of(String name, Endpoints endpoints, SharedThrottles throttles) {
        return new ThrottleRule(name, endpoints, throttles.throttle(endpoints.settings(name)));
    }

    /** @param path below the context path, decoded and normalized, so no spelling of the path avoids its throttle */
    boolean isFor(String path) {
        return endpoints.paths().stream().anyMatch(pattern -> PATHS.match(pattern, path));
    }

    ThrottleClient client(@Nullable String principal, ClientSource source) {
        return principal == null ? throttle.client(source) : throttle.client(source, principal);
    }

    /** A client at each of these throttles. */
    static List<ThrottleClient> clients(List<ThrottleRule> rules, @Nullable String principal, ClientSource source) {
        return rules.stream().map(rule -> rule.client(principal, source)).toList();
    }

    /**
     * The sum of the longest waits of these throttles, and one second more: a timer may have been closed with its
     * context.
     */
    static Duration longestWait(List<ThrottleRule> rules) {
        return rules.stream().map(rule -> rule.endpoints().maxWait()).reduce(A_MOMENT, Duration::plus);
    }

    /**
     * Blocks the calling thread until there is a result. Returns empty if the request has passed, and the refusal
     * otherwise. After the longest wait the request is refused too.
     */
    static Optional<ThrottleResult.Refused> await(CompletableFuture<ThrottleResult> result, Duration longest) {
        try {
            ThrottleResult answer = result.get(longest.toMillis(), TimeUnit.MILLISECONDS);
            return answer.fold(passed -> Optional.empty(), Optional::of);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refuse(result);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            return refuse(result);
        }
    }

    /** Ends a wait. The pending throttle counts the refusal. */
    private static Optional<ThrottleResult.Refused> refuse(CompletableFuture<ThrottleResult> waiting) {
        ThrottleResult.Refused refused = new ThrottleResult.Refused(ThrottleScope.GLOBAL, A_MOMENT);
        waiting.complete(refused);
        return Optional.of(refused);
    }
}
