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
 * a new round at the first bucket. Each such round has the store's full time limit: otherwise a few turns would use up the
 * time, and the store would count as down.
 */
final class LimitAcquisition {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    /**
     * The login in the queue of one bucket. A new object each time, so that an old entry cannot be confused with the
     * current entry.
     */
    final class Entry {

        private final KeyedBucket bucket;
        private final Duration retryAfter;

        private Entry(KeyedBucket bucket, Duration retryAfter) {
            this.bucket = bucket;
            this.retryAfter = retryAfter;
        }

        void tryAgain() {
            begin(bucket);
        }
    }

    /**
     * A thread that cannot wait cancels this future. If the login waits only for the bucket's answers to other logins,
     * the limit rejects the login: an exhausted limit is no overload.
     */
    private final class Answer extends CompletableFuture<Admission> {

        @Override
        public boolean cancel(boolean mayInterrupt) {
            Entry last = lastEntry;
            if (last != null && !ledger.queue().hasHeld(last.bucket)) {
                refuse(last.bucket.kind().limit(), last.retryAfter);
            }
            return super.cancel(mayInterrupt);
        }
    }

    private final LoginLedger ledger;
    private final BucketedLogin login;

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
    LimitAcquisition(LoginLedger ledger, BucketedLogin login, @Nullable AccountKeys found) {
        this.ledger = ledger;
        this.login = login;
        this.found = found;
        this.begunAt = ledger.time().nanoTime();
    }

    CompletableFuture<Admission> begin() {
        begin(null);
        return answer;
    }

    private void begin(@Nullable KeyedBucket turnAt) {
        Round round = new Round(turnAt, login.bucketsOf(found));
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
        refuse(last == null ? LoginLimit.WAITING : last.bucket.kind().limit(), A_MOMENT);
    }

    private void leaveQueue() {
        Entry last = lastEntry;
        if (last != null) {
            ledger.queue().remove(last.bucket, last);
        }
    }

    private void refuse(LoginLimit limit, Duration retryAfter) {
        if (found != null) {
            login.refused(found);
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
        private final KeyedBucket turnAt;

        private final BucketStore store;
        private final List<BucketOrElse> buckets;
        private final List<KeyedBucket> held = new ArrayList<>();
        private boolean turnUsed;

        /** @param turnAt the bucket whose queue gave this login a turn; null if the login did not wait in a queue */
        Round(@Nullable KeyedBucket turnAt, List<BucketOrElse> buckets) {
            this.turnAt = turnAt;
            this.store = turnAt == null && found == null ? login.store() : ledger.forOneLogin();
            this.buckets = buckets;
        }

        void pass(int index) {
            if (index == buckets.size()) {
                admit();
            } else {
                pass(buckets.get(index).bucket(), index);
            }
        }

        private void pass(KeyedBucket bucket, int index) {
            if (bucket.equals(turnAt)) {
                turnUsed = true;
                ledger.queue().open(bucket);
                ask(bucket, index);
                return;
            }
            Entry entry = new Entry(bucket, A_MOMENT);
            Next next = ledger.queue().arrive(bucket, entry);
            if (next == Next.ASK) {
                ask(bucket, index);
            } else {
                stop(next, entry);
            }
        }

        private void ask(KeyedBucket bucket, int index) {
            long returned = ledger.queue().returned(bucket);
            ledger.take(store, bucket).whenComplete((take, failure) -> {
                if (take == null) {
                    fail(bucket, failure);
                } else if (take.taken()) {
                    held.add(bucket);
                    pass(index + 1);
                } else {
                    foundEmpty(bucket, index, returned, take.retryAfter());
                }
            });
        }

        private void foundEmpty(KeyedBucket bucket, int index, long returned, Duration retryAfter) {
            KeyedBucket fallback = buckets.get(index).insteadIfEmpty();
            boolean isLast = fallback == null || bucket.equals(fallback);
            Entry entry = new Entry(bucket, isLast ? retryAfter : A_MOMENT);
            Next next = ledger.queue().foundEmpty(bucket, entry, returned);
            if (next == Next.ASK) {
                ask(bucket, index);
                return;
            }
            List<Entry> others = next == Next.GIVE_UP ? ledger.queue().close(bucket) : List.of();
            if (next == Next.GIVE_UP && fallback != null && !isLast) {
                pass(fallback, index);
            } else {
                stop(next, entry);
            }
            ledger.tryAgain(others);
        }

        private void stop(Next next, Entry entry) {
            if (next == Next.WAIT) {
                waitAs(entry);
            } else {
                refuse(
                        next == Next.FULL
                                ? LoginLimit.WAITING
                                : entry.bucket.kind().limit(),
                        entry.retryAfter);
            }
            end();
        }

        private void fail(KeyedBucket bucket, @Nullable Throwable failure) {
            ledger.close(bucket);
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
            held.forEach(bucket -> {
                ledger.queue().hold(bucket);
                ledger.giveBack(bucket);
            });
        }

        private void passTurnOn() {
            if (turnAt != null && !turnUsed) {
                ledger.tryAgain(ledger.queue().passOn(turnAt));
            }
        }
    }
}
