package dev.latchkey.auth.spring.throttle;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.throttle.ThrottleClient;
import dev.latchkey.auth.guard.throttle.ThrottleResult;
import dev.latchkey.auth.spring.throttle.ThrottleProperties.Endpoints;
import java.security.Principal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The throttles that count the bytes of one body. Each piece passes all of them, one after the other, so that it waits in the
 * narrowest; the smallest of their settings hold.
 *
 * <p>For one piece at a time; what it waits for may end on any thread.
 */
final class BodyThrottle {

    private final List<ThrottleRule> rules;
    private final List<ThrottleClient> clients;

    /** Whose answer the last piece got, or waits for. */
    private volatile ThrottleRule asked;

    private final int piece;
    private final long maxHeld;
    private final Duration writeTimeout;

    private BodyThrottle(List<ThrottleRule> rules, List<ThrottleClient> clients) {
        this.rules = rules;
        this.clients = clients;
        this.asked = rules.get(0);
        this.piece = Math.toIntExact(least(endpoints -> endpoints.chunk().toBytes()));
        this.maxHeld = least(endpoints -> endpoints.maxHeld().toBytes());
        this.writeTimeout = least(Endpoints::writeTimeout);
    }

    /** Those of the rules that count bytes. */
    static List<ThrottleRule> counting(List<ThrottleRule> matching) {
        return matching.stream().filter(rule -> rule.endpoints().countsBytes()).toList();
    }

    /** @param counting at least one, all of which count bytes */
    static BodyThrottle of(List<ThrottleRule> counting, @Nullable Principal principal, ClientSource source) {
        return new BodyThrottle(
                counting,
                counting.stream().map(rule -> rule.client(principal, source)).toList());
    }

    /** As {@link ThrottleClient#acquire}. */
    CompletableFuture<ThrottleResult> acquire(long bytes) {
        return acquire(0, bytes);
    }

    private CompletableFuture<ThrottleResult> acquire(int index, long bytes) {
        asked = rules.get(index);
        CompletableFuture<ThrottleResult> result = clients.get(index).acquire(bytes);
        if (index == clients.size() - 1) {
            return result;
        }
        if (!result.isDone()) {
            return new Waiting(index, bytes).behind(result);
        }
        return result.join() instanceof ThrottleResult.Passed ? acquire(index + 1, bytes) : result;
    }

    /** A piece that waits for one throttle, with others behind it. To cancel it gives up the place where it is then. */
    private final class Waiting extends CompletableFuture<ThrottleResult> {

        private final int index;
        private final long bytes;
        private volatile @Nullable CompletableFuture<ThrottleResult> at;

        Waiting(int index, long bytes) {
            this.index = index;
            this.bytes = bytes;
        }

        @SuppressWarnings("FutureReturnValueIgnored") // each end is told to this future
        Waiting behind(CompletableFuture<ThrottleResult> result) {
            at = result;
            result.whenComplete((answer, cancelled) -> {
                if (!(answer instanceof ThrottleResult.Passed)) {
                    end(answer);
                } else if (!isDone()) {
                    CompletableFuture<ThrottleResult> next = acquire(index + 1, bytes);
                    at = next;
                    next.whenComplete((last, gaveUp) -> end(last));
                    if (isDone()) {
                        next.cancel(false);
                    }
                }
            });
            return this;
        }

        private void end(@Nullable ThrottleResult answer) {
            if (answer == null) {
                super.cancel(false);
            } else {
                complete(answer);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            CompletableFuture<ThrottleResult> result = at;
            if (result != null) {
                result.cancel(false);
            }
            return cancelled;
        }
    }

    /** Waits with the calling thread; the refusal, or empty if it passed. */
    Optional<ThrottleResult.Refused> await(CompletableFuture<ThrottleResult> result) {
        return ThrottleRule.await(
                result, rules.stream().map(rule -> rule.endpoints().maxWait()).reduce(Duration.ZERO, Duration::plus));
    }

    /** What the caller is told when a piece was refused, or its client stopped reading. */
    ThrottleRefusal refusal(ThrottleResult.Refused refused) {
        return new ThrottleRefusal(asked, refused);
    }

    /** Bytes of a piece. */
    int piece() {
        return piece;
    }

    long maxHeld() {
        return maxHeld;
    }

    Duration writeTimeout() {
        return writeTimeout;
    }

    private <T extends Comparable<T>> T least(Function<Endpoints, T> setting) {
        return rules.stream()
                .map(ThrottleRule::endpoints)
                .map(setting)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }
}
