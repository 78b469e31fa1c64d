package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request for a permit, on its way through the {@link PermitQueue}. The queue's lock guards what is not final. */
final class PermitRequest {

    enum State {
        WAITING,
        GRANTED,
        COMPUTING,
        ENDED
    }

    /** Why there is no permit, and after how long. */
    record Refusal(AuthUnavailableException reason, Duration waited) {}

    final HashDemand demand;
    final long askedAt;

    /** Completes when there is a permit, or with the refusal; never under the lock. */
    final CompletableFuture<Void> granted = new CompletableFuture<>();

    State state = State.WAITING;

    /** The thread that computes the hash, while it does. */
    @Nullable
    Thread thread;

    @Nullable
    WakeUp deadline;

    /** Does not change any more once the queue has settled this request. */
    @Nullable
    Refusal refusal;

    PermitRequest(HashDemand demand, long askedAt) {
        this.demand = demand;
        this.askedAt = askedAt;
    }

    void settle() {
        if (refusal == null) {
            granted.complete(null);
        } else {
            granted.completeExceptionally(refusal.reason());
        }
    }

    Optional<GuardEvent> refused() {
        return Optional.ofNullable(refusal).map(each -> new GuardEvent.HashRefused(each.waited()));
    }
}
