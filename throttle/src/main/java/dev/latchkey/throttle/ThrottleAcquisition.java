package dev.latchkey.throttle;

import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.throttle.QueuedBucket.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Acquires tokens of a throttle's buckets, scope by scope. The tokens are returned unless all buckets pass the request
 * in time.
 */
final class ThrottleAcquisition implements Acquisition.Limit {

    private static final ThrottleScope[] SCOPES = ThrottleScope.values();
    private static final CompletableFuture<ThrottleResult> UNLIMITED =
            CompletableFuture.completedFuture(ThrottleResult.Passed.UNLIMITED);

    private final Throttle throttle;
    private final ThrottleClient client;
    private final Shortage shortage;
    private final long cost;
    private volatile @Nullable Acquisition buckets;

    ThrottleAcquisition(Throttle throttle, ThrottleClient client, Shortage shortage, long cost) {
        this.throttle = throttle;
        this.client = client;
        this.shortage = shortage;
        this.cost = cost;
    }

    @Override
    public CompletableFuture<ThrottleResult> ask() {
        long begunAt = throttle.time().nanoTime();
        List<Acquisition.Limit> scopes = new ArrayList<>();
        for (ThrottleScope scope : SCOPES) {
            scopes.add(new InScope(scope));
        }
        Acquisition acquisition = Acquisition.of(scopes);
        buckets = acquisition;
        CompletableFuture<ThrottleResult> result = acquisition.result();
        if (!result.isDone()) {
            throttle.waiting(1);
            WakeUp end = throttle.time()
                    .after(
                            throttle.longestWait(shortage),
                            () -> result.complete(ThrottleResult.Refused.byQueue(SCOPES[acquisition.position()])));
            Futures.onEnd(result, (answer, failure) -> {
                throttle.waiting(-1);
                end.cancel();
            });
        }
        Futures.onEnd(result, (answer, failure) -> count(answer, begunAt));
        return result;
    }

    @Override
    public void giveBack() {
        Acquisition asked = buckets;
        if (asked != null) {
            asked.giveBack();
        }
    }

    private void count(@Nullable ThrottleResult answer, long begunAt) {
        if (answer != null) {
            throttle.count(answer, Duration.ofNanos(Math.max(0, throttle.time().nanoTime() - begunAt)));
        }
    }

    /** The bucket of a scope. */
    private final class InScope implements Acquisition.Limit {

        private final ThrottleScope scope;
        private volatile Runnable leave = () -> {};

        InScope(ThrottleScope scope) {
            this.scope = scope;
        }

        @Override
        public CompletableFuture<ThrottleResult> ask() {
            QueuedBucket bucket = throttle.bucket(scope, client);
            if (bucket == null) {
                return UNLIMITED;
            }
            Ticket ticket = new Ticket(client.identity(), scope, shortage, cost);
            leave = () -> bucket.leave(ticket);
            bucket.enter(ticket, throttle.settings().maxWaiting());
            return ticket.result();
        }

        @Override
        public void giveBack() {
            leave.run();
        }
    }
}
