package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.auth.guard.login.ReservationQueue.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a token of each bucket before a login.
 *
 * <p>Takes the tokens in turn. If a bucket is empty and other logins have open reservations, this login returns its
 * tokens and waits. A waiting login holds nothing, so no login waits for a waiting login. At its turn, the login starts
 * a new round at the first bucket.
 */
final class LimitAcquisition {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    /**
     * The login in the queue of one bucket. A new object each time, so that an old entry cannot be confused with the
     * current entry.
     */
    final class Entry {

        private final LimitLevel level;
        private final Duration retryAfter;

        private Entry(LimitLevel level, Duration retryAfter) {
            this.level = level;
            this.retryAfter = retryAfter;
        }

        void tryAgain() {
            begin(level);
        }
    }

    /**
     * Cancelled by a thread that cannot wait. If the login only waits until other logins have asked the bucket, the limit
     * rejects the login: an exhausted limit is no overload.
     */
    private final class Answer extends CompletableFuture<Admission> {

        @Override
        public boolean cancel(boolean mayInterrupt) {
            Entry last = lastEntry;
            if (last != null && !ledger.queue().hasHeld(last.level)) {
                refuse(last.level.bucket().limit(), last.retryAfter);
            }
            return super.cancel(mayInterrupt);
        }
    }

    private final LoginLedger ledger;
    private final HeldTokens login;
    private final BucketStore buckets;

    @Nullable
    private final AccountKeys found;

    private final long begunAt;
    private final CompletableFuture<Admission> answer = new Answer();
    private final AtomicBoolean hasDeadline = new AtomicBoolean();

    @Nullable
    private volatile Entry lastEntry;

    /**
     * @param login receives the tokens
     * @param found the account after the look-up; null while only the presented name is known
     */
    LimitAcquisition(LoginLedger ledger, HeldTokens login, @Nullable AccountKeys found) {
        this.ledger = ledger;
        this.login = login;
        this.buckets = found == null ? login.buckets() : ledger.forOneLogin();
        this.found = found;
        this.begunAt = ledger.time().nanoTime();
    }

    CompletableFuture<Admission> begin() {
        begin(null);
        return answer;
    }

    private void begin(@Nullable LimitLevel turnAt) {
        Round round = new Round(turnAt, found == null ? login.stepsOfName() : login.stepsOfFound(found));
        if (answer.isDone()) {
            round.end();
        } else {
            round.pass(0);
        }
    }

    private void waitAs(Entry entry) {
        lastEntry = entry;
        if (hasDeadline.compareAndSet(false, true)) {
            WakeUp end = ledger.time().after(ledger.settings().waiting().longest(), this::timeOut);
            Futures.onEnd(answer, (admission, failure) -> {
                end.cancel();
                leaveQueue();
            });
        }
        if (answer.isDone()) {
            leaveQueue();
        }
    }

    private void timeOut() {
        Entry last = lastEntry;
        refuse(last == null ? LoginLimit.WAITING : last.level.bucket().limit(), A_MOMENT);
    }

    private void leaveQueue() {
        Entry last = lastEntry;
        if (last != null) {
            ledger.queue().remove(last.level, last);
        }
    }

    private void refuse(LoginLimit limit, Duration retryAfter) {
        if (found != null) {
            login.refused();
        }
        if (answer.complete(new Admission.Refused(limit, retryAfter))) {
            ledger.counts().refused(limit, waited());
        }
    }

    private Duration waited() {
        return Duration.ofNanos(Math.max(0, ledger.time().nanoTime() - begunAt));
    }

    /**
     * One pass over all buckets, by one thread at a time. If the pass does not succeed, the round returns its tokens.
     */
    private final class Round {

        @Nullable
        private final LimitLevel turnAt;

        private final List<LimitStep> steps;
        private final List<LimitLevel> held = new ArrayList<>();
        private boolean turnUsed;

        /** @param turnAt the bucket that gave this login a turn; null if there was no queue */
        Round(@Nullable LimitLevel turnAt, List<LimitStep> steps) {
            this.turnAt = turnAt;
            this.steps = steps;
        }

        void pass(int index) {
            if (index == steps.size()) {
                admit();
            } else {
                pass(steps.get(index).level(), index);
            }
        }

        private void pass(LimitLevel level, int index) {
            if (level.equals(turnAt)) {
                turnUsed = true;
                ledger.queue().open(level);
                ask(level, index);
                return;
            }
            Entry entry = new Entry(level, A_MOMENT);
            Next next = ledger.queue().arrive(level, entry);
            if (next == Next.ASK) {
                ask(level, index);
            } else {
                stop(next, entry);
            }
        }

        private void ask(LimitLevel level, int index) {
            long returned = ledger.queue().returned(level);
            ledger.take(buckets, level).whenComplete((take, failure) -> {
                if (take == null) {
                    fail(level, failure);
                } else if (take.taken()) {
                    held.add(level);
                    pass(index + 1);
                } else {
                    foundEmpty(level, index, returned, take.retryAfter());
                }
            });
        }

        private void foundEmpty(LimitLevel level, int index, long returned, Duration retryAfter) {
            LimitLevel fallback = steps.get(index).insteadIfEmpty();
            boolean isLast = fallback == null || level.equals(fallback);
            Entry entry = new Entry(level, isLast ? retryAfter : A_MOMENT);
            Next next = ledger.queue().foundEmpty(level, entry, returned);
            if (next == Next.ASK) {
                ask(level, index);
                return;
            }
            List<Entry> others = next == Next.GIVE_UP ? ledger.queue().close(level) : List.of();
            if (next == Next.GIVE_UP && fallback != null && !isLast) {
                pass(fallback, index);
            } else {
                stop(next, entry);
            }
            ledger.trampoline().run(others);
        }

        private void stop(Next next, Entry entry) {
            if (next == Next.WAIT) {
                waitAs(entry);
            } else {
                refuse(
                        next == Next.FULL
                                ? LoginLimit.WAITING
                                : entry.level.bucket().limit(),
                        entry.retryAfter);
            }
            end();
        }

        private void fail(LimitLevel level, @Nullable Throwable failure) {
            ledger.trampoline().run(ledger.queue().close(level));
            end();
            String message = "The store of login limits answered with neither a token nor a refusal";
            answer.completeExceptionally(
                    failure == null
                            ? AuthUnavailableException.outage(message)
                            : AuthUnavailableException.outage(message, failure));
        }

        private void admit() {
            passTurnOn();
            login.admitted(found, held, waited());
            if (!answer.complete(new Admission.Admitted(login)) && found == null) {
                login.settle(AttemptResult.NOT_ATTEMPTED, null);
            }
        }

        /** Returns the tokens. Also passes on an unused turn, because the next login may succeed. */
        void end() {
            passTurnOn();
            held.forEach(level -> {
                ledger.queue().hold(level);
                ledger.giveBack(level);
            });
        }

        private void passTurnOn() {
            if (turnAt != null && !turnUsed) {
                ledger.trampoline().run(ledger.queue().passOn(turnAt));
            }
        }
    }
}
