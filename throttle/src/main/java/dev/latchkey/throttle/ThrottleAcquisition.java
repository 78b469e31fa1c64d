package dev.latchkey.throttle;

import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.throttle.QueuedBucket.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Acquires tokens of a throttle's buckets, scope by scope. The tokens are returned unless all buckets pass the request
 * in time.
 */
final class ThrottleAcquisition {

    private static final ThrottleScope[] SCOPES = ThrottleScope.values();
    private static final CompletableFuture<ThrottleResult> UNLIMITED =
            CompletableFuture.completedFuture(ThrottleResult.Passed.UNLIMITED);

    private final Throttle throttle;
    private final ThrottleClient client;
    private final Shortage shortage;
    private final long cost;
    private final long begunAt;
    private final List<Runnable> giveBacks = new CopyOnWriteArrayList<>();
    private volatile boolean givenBack;

    ThrottleAcquisition(Throttle throttle, ThrottleClient client, Shortage shortage, long cost) {
        this.throttle = throttle;
        this.client = client;
        this.shortage = shortage;
        this.cost = cost;
        this.begunAt = throttle.time().nanoTime();
    }

    CompletableFuture<ThrottleResult> begin() {
        List<Supplier<CompletableFuture<ThrottleResult>>> buckets = new ArrayList<>();
        for (ThrottleScope scope : SCOPES) {
            buckets.add(() -> ask(scope));
        }
        Acquisition acquisition = Acquisition.begin(buckets);
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
        Futures.onEnd(result, (answer, failure) -> end(answer));
        return result;
    }

    private CompletableFuture<ThrottleResult> ask(ThrottleScope scope) {
        QueuedBucket bucket = throttle.bucket(scope, client);
        if (bucket == null) {
            return UNLIMITED;
        }
        Ticket ticket = new Ticket(client.identity(), scope, shortage, cost);
        giveBacks.add(() -> bucket.leave(ticket));
        bucket.enter(ticket, throttle.settings().maxWaiting());
        if (givenBack) {
            // The request was cancelled, or its time was over, just before entering.
            bucket.leave(ticket);
        }
        return ticket.result();
    }

    private void end(@Nullable ThrottleResult answer) {
        if (!(answer instanceof ThrottleResult.Passed)) {
            givenBack = true;
            giveBacks.forEach(Runnable::run);
        }
        if (answer != null) {
            throttle.count(answer, Duration.ofNanos(Math.max(0, throttle.time().nanoTime() - begunAt)));
        }
    }
}
