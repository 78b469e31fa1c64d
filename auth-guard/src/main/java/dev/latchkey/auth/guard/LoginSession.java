package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.Admission.Admitted;
import dev.latchkey.auth.guard.Admission.Refused;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One login that may cost several hashes: two stores are asked in turn, or a dummy is made before an unknown name is matched.
 *
 * <p>It is one attempt to the limits, whatever it costs the pool: reserved before the first hash, a success with the first hash
 * that says so, and a failure when it is closed and none did. Must be closed on every way out; until then others wait behind
 * it. Safe for use by any number of threads.
 */
public final class LoginSession implements AutoCloseable {

    private final LoginGuard guard;
    private final LoginAttempt attempt;
    private final long begunAt;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final CompletableFuture<Reservation> reservation = new CompletableFuture<>();

    /** The owner, until it closes, and each hash on its way. */
    private final AtomicInteger parties = new AtomicInteger(1);

    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean failed;

    LoginSession(LoginGuard guard, LoginAttempt attempt) {
        this.guard = guard;
        this.attempt = attempt;
        this.begunAt = guard.limits().time().nanoTime();
    }

    /** The same as {@link LoginGuard#submit}, within this login. */
    public <T> CompletableFuture<T> submit(
            long memoryBytes, Callable<? extends T> check, Function<? super T, AttemptResult> resultOf) {
        if (guard.pool().runsHere()) {
            return guard.pool().submit(HashDemand.ofMemory(memoryBytes), check);
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        GuardedCheck<T> guarded = new GuardedCheck<>(check, resultOf, answer, this::ended);
        parties.incrementAndGet();
        CompletableFuture<Reservation> reserved = reserve(answer);
        Stages.onEnd(reserved, (held, failure) -> {
            if (held == null) {
                guarded.refuse(failure);
            } else {
                waitForTurn(guarded, memoryBytes);
            }
        });
        return answer;
    }

    /** Ends the login as soon as its last hash has ended. Closing twice is the same as once. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            leave();
        }
    }

    /** Asks the limits, once. */
    private CompletableFuture<Reservation> reserve(CompletableFuture<?> answer) {
        if (asked.compareAndSet(false, true)) {
            CompletableFuture<Admission> admission = guard.limits().reserve(attempt);
            Stages.onEnd(answer, (value, failure) -> admission.cancel(false));
            Stages.onEnd(admission, (admitted, failure) -> {
                if (admitted instanceof Admitted yes) {
                    reservation.complete(yes.reservation());
                } else if (admitted instanceof Refused no) {
                    reservation.completeExceptionally(
                            AuthUnavailableException.throttled("Too many failed logins", no.retryAfter()));
                } else {
                    reservation.completeExceptionally(failure);
                }
            });
        }
        return reservation;
    }

    private void waitForTurn(GuardedCheck<?> guarded, long memoryBytes) {
        LoginLimits limits = guard.limits();
        CompletableFuture<BucketKey> turn = guard.turns().enter(attempt, waitLeft());
        guarded.onAnswered(() -> turn.cancel(false));
        Stages.onEnd(turn, (account, failure) -> {
            if (account == null) {
                guarded.refuse(failure);
                return;
            }
            // Read only now: while it waited, its source may have logged in.
            HashDemand demand = HashDemand.ofMemory(memoryBytes).from(limits.familiarity(attempt.source()));
            guarded.run(guard.pool(), demand, () -> guard.turns().leave(account));
        });
    }

    /** All lines together take no longer than one may. */
    private Duration waitLeft() {
        LoginLimits limits = guard.limits();
        Duration waited = Duration.ofNanos(Math.max(0, limits.time().nanoTime() - begunAt));
        Duration left = limits.settings().waiting().longest().minus(waited);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private void ended(AttemptResult result) {
        if (result == AttemptResult.SUCCEEDED) {
            settle(result);
        } else if (result == AttemptResult.FAILED) {
            failed = true;
        }
        leave();
    }

    private void leave() {
        if (parties.decrementAndGet() == 0) {
            settle(failed ? AttemptResult.FAILED : AttemptResult.NOT_ATTEMPTED);
        }
    }

    private void settle(AttemptResult result) {
        Reservation held = held();
        if (held != null) {
            held.settle(result);
        }
    }

    /** What was reserved; null if nothing was, or was refused. */
    private @Nullable Reservation held() {
        return reservation.isDone() && !reservation.isCompletedExceptionally() ? reservation.join() : null;
    }
}
