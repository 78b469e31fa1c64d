package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.throttle.Throttle;
import dev.latchkey.auth.guard.throttle.ThrottleClient;
import dev.latchkey.auth.guard.throttle.ThrottleResult;
import dev.latchkey.auth.spring.throttle.ThrottleProperties.Endpoints;
import java.security.Principal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.util.AntPathMatcher;

/** A throttle and the requests that it is for. */
record ThrottleRule(String name, Endpoints endpoints, Throttle throttle) {

    private static final AntPathMatcher PATHS = new AntPathMatcher();
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    static ThrottleRule of(String name, Endpoints endpoints, GuardTime time, GuardListener listener) {
        return new ThrottleRule(name, endpoints, Throttle.of(endpoints.settings(name), time, listener));
    }

    /** @param path below the context path, decoded and normalised, so that no spelling of it gets around its throttle */
    boolean isFor(String path) {
        return endpoints.paths().stream().anyMatch(pattern -> PATHS.match(pattern, path));
    }

    ThrottleClient client(@Nullable Principal principal, ClientSource source) {
        return principal == null ? throttle.client(source) : throttle.client(source, principal.getName());
    }

    /** Waits with the calling thread; the refusal, or empty if it passed. */
    Optional<ThrottleResult.Refused> await(CompletableFuture<ThrottleResult> result) {
        return await(result, endpoints.maxWait());
    }

    /** The same, for a result that takes so long at most. */
    static Optional<ThrottleResult.Refused> await(CompletableFuture<ThrottleResult> result, Duration maxWait) {
        // The throttle ends the wait itself; the moment more is for a timer that was closed with its context.
        try {
            ThrottleResult answer = result.get(maxWait.plus(A_MOMENT).toMillis(), TimeUnit.MILLISECONDS);
            return answer.fold(passed -> Optional.empty(), Optional::of);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return giveUp(result);
        } catch (TimeoutException | ExecutionException e) {
            return giveUp(result);
        }
    }

    private static Optional<ThrottleResult.Refused> giveUp(CompletableFuture<ThrottleResult> result) {
        result.cancel(false);
        return Optional.of(new ThrottleResult.Refused(ThrottleScope.GLOBAL, A_MOMENT));
    }
}
