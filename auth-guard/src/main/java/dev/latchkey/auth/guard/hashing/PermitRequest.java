package dev.latchkey.auth.guard.hashing;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request for a permit in the {@link PermitQueue}. The queue's lock guards the fields that are not final. */
final class PermitRequest {

    enum State {
        WAITING,
        GRANTED,
        COMPUTING,
        ENDED
    }

    /** The reason for a refusal, and the time before the refusal. */
    record Refusal(AuthUnavailableException reason, Duration waited) {}

    final HashDemand demand;
    final long askedAt;

    /** Completes with the permit or the refusal; never while holding the lock. */
    final CompletableFuture<Void> granted = new CompletableFuture<>();

    State state = State.WAITING;

    /** The thread during its hash. */
    @Nullable
    Thread thread;

    @Nullable
    WakeUp deadline;

    /** Constant after the queue has settled this request. */
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
