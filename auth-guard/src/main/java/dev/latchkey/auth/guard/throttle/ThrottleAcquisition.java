package dev.latchkey.auth.guard.throttle;

import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.auth.guard.throttle.QueuedBucket.Ticket;
import io.github.bucket4j.ConsumptionProbe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One passage on its way through the scopes of a throttle. */
final class ThrottleAcquisition {

    private static final ThrottleScope[] SCOPES = ThrottleScope.values();
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    /** A bucket that has been entered; to leave it gives back what was taken there. */
    private record Entered(QueuedBucket bucket, Runnable leave) {}

    /** What the emptiest bucket of those that were passed has left. */
    private record Remaining(@Nullable ThrottleScope scope, long tokens) {}

    private final Throttle throttle;
    private final ThrottleClient client;
    private final long cost;
    private final long begunAt;
    private final CompletableFuture<ThrottleResult> answer = new CompletableFuture<>();
    private final List<Entered> entered = new CopyOnWriteArrayList<>();
    private volatile ThrottleScope at = ThrottleScope.PRINCIPAL;
    private volatile Remaining least = new Remaining(null, Long.MAX_VALUE);

    ThrottleAcquisition(Throttle throttle, ThrottleClient client, long cost) {
        this.throttle = throttle;
        this.client = client;
        this.cost = cost;
        this.begunAt = throttle.time().nanoTime();
    }

    CompletableFuture<ThrottleResult> begin() {
        pass(0);
        if (!answer.isDone()) {
            throttle.waiting(1);
            WakeUp end = throttle.time().after(throttle.settings().longestWait(), () -> refuse(at, A_MOMENT));
            Futures.onEnd(answer, (passage, failure) -> {
                throttle.waiting(-1);
                end.cancel();
                if (!(passage instanceof ThrottleResult.Passed)) {
                    leaveAll();
                }
            });
        }
        return answer;
    }

    private void pass(int index) {
        for (int i = index; i < SCOPES.length; i++) {
            QueuedBucket bucket = throttle.bucket(SCOPES[i], client);
            if (bucket != null) {
                at = SCOPES[i];
                enter(bucket, i);
                return;
            }
        }
        tell(new ThrottleResult.Passed(waited(), least.scope(), least.tokens()));
    }

    private void enter(QueuedBucket bucket, int index) {
        if (throttle.settings().refusesAtOnce()) {
            ConsumptionProbe probe = bucket.tryTake(cost);
            if (probe.isConsumed()) {
                entered.add(new Entered(bucket, () -> bucket.giveBack(cost)));
                leaves(SCOPES[index], probe.getRemainingTokens());
                pass(index + 1);
            } else {
                refuse(SCOPES[index], Duration.ofNanos(probe.getNanosToWaitForRefill()));
                leaveAll();
            }
            return;
        }
        queue(bucket, index);
    }

    private void queue(QueuedBucket bucket, int index) {
        Ticket[] self = new Ticket[1];
        Ticket ticket = new Ticket(client.identity(), cost, () -> passed(self[0], index));
        self[0] = ticket;
        entered.add(new Entered(bucket, () -> bucket.leave(ticket)));
        if (!bucket.enter(ticket, throttle.settings().maxWaiting())) {
            refuse(SCOPES[index], A_MOMENT);
            leaveAll();
        } else if (answer.isDone() && !hasPassed()) {
            // It was cancelled or timed out just before it entered; whoever did that found nothing to leave here.
            leaveAll();
        }
    }

    private void passed(@Nullable Ticket ticket, int index) {
        if (ticket != null) {
            leaves(SCOPES[index], ticket.remaining());
        }
        if (!answer.isDone()) {
            pass(index + 1);
        }
    }

    private void leaves(ThrottleScope scope, long tokens) {
        if (tokens < least.tokens()) {
            least = new Remaining(scope, tokens);
        }
    }

    private boolean hasPassed() {
        return answer.isDone() && !answer.isCompletedExceptionally() && answer.join() instanceof ThrottleResult.Passed;
    }

    private void refuse(ThrottleScope scope, Duration retryAfter) {
        tell(new ThrottleResult.Refused(scope, retryAfter));
    }

    private void tell(ThrottleResult passage) {
        if (answer.complete(passage)) {
            throttle.told(passage, waited());
        }
    }

    private void leaveAll() {
        entered.forEach(each -> each.leave().run());
    }

    private Duration waited() {
        return Duration.ofNanos(Math.max(0, throttle.time().nanoTime() - begunAt));
    }
}
