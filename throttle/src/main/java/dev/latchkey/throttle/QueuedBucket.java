package dev.latchkey.throttle;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.throttle.TokenSupply.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket, of this node or of several nodes, with a queue of waiting tickets.
 *
 * <p>There is a single wake-up, for the head of the queue. Bucket4j's own scheduler would keep a debt of tokens and a
 * wake-up for each waiting ticket. With a queue, a changed rate applies at once, a cancelled ticket returns its tokens,
 * and clients are served in turn. Tokens are taken only when present, so the rate is exact even with a slow timer.
 *
 * <p>Safe for use by any number of threads. The futures of waiting tickets are completed without the lock, and not within
 * each other, see {@link InTurn}.
 */
final class QueuedBucket {

    /** More frequent wake-ups only cost processor time, as long as no token is lost between them. */
    private static final long PAUSE_NANOS = 1_000_000;

    /** The limit for counting a ticket's wanted tokens. */
    private static final long MOST_COUNTED = Integer.MAX_VALUE;

    /** The limit of the tickets that wait for the answer of a store. */
    private static final int MOST_UNANSWERED = 10_000;

    /** A request at this bucket. The bucket's lock guards all fields that are not final. */
    static final class Ticket {

        private final Object client;
        private final ThrottleScope scope;
        private final Shortage shortage;
        private final CompletableFuture<ThrottleResult> result = new CompletableFuture<>();
        private long cost;
        private boolean isEntering = true;
        private long enteredAt;
        private long taken;

        /** @param scope of the bucket, for the answer */
        Ticket(Object client, ThrottleScope scope, Shortage shortage, long cost) {
            this.client = client;
            this.scope = scope;
            this.shortage = shortage;
            this.cost = cost;
        }

        CompletableFuture<ThrottleResult> result() {
            return result;
        }

        /** The ticket's missing tokens, limited so that the sum of ten thousand tickets does not overflow. */
        private long wants() {
            return Math.min(cost - taken, MOST_COUNTED);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final GuardTime time;
    private final TokenSupply tokens;
    private final RoundRobinQueue<Ticket> waiting = new RoundRobinQueue<>();

    /** The tickets in the queue that wait for the answer of a store, and not for tokens. The answer comes within a second. */
    private final Set<Ticket> unwilling = new LinkedHashSet<>();

    private final List<Runnable> afterwards = new ArrayList<>();
    private BucketRate rate;

    /** The missing tokens of all waiting tickets. */
    private long wanted;

    private @Nullable WakeUp wakeUp;
    private long wakeUpAt;

    private QueuedBucket(BucketRate rate, GuardTime time, Function<QueuedBucket, TokenSupply> tokens) {
        this.rate = rate;
        this.time = time;
        this.tokens = tokens.apply(this);
    }

    /** A bucket of this node only. */
    static QueuedBucket own(BucketRate rate, GuardTime time) {
        return new QueuedBucket(rate, time, queue -> new OwnTokens(rate, time));
    }

    /** A bucket of several nodes. */
    static QueuedBucket shared(PortionStore.Bucket bucket, Shortage shortage, SharedThrottles store) {
        return new QueuedBucket(bucket.rate(), store.time(), queue -> new SharedTokens(bucket, shortage, store, queue));
    }

    /**
     * Queues the ticket. The ticket is answered when its tokens are complete or cannot come, possibly before this
     * method returns. If the maximum of other tickets waits for tokens, the ticket passes only without a wait for tokens. For a
     * ticket that does not wait, a cost above the bucket's size counts as a full bucket: otherwise the request could never
     * pass.
     */
    void enter(Ticket ticket, int maxWaiting) {
        update(() -> {
            ticket.enteredAt = time.nanoTime();
            if (ticket.shortage == Shortage.REFUSES) {
                ticket.cost = Math.min(ticket.cost, rate.burst());
            }
            if (ticket.shortage == Shortage.REFUSES || waiting.size() - unwilling.size() >= maxWaiting) {
                unwilling.add(ticket);
            }
            waiting.add(ticket.client, ticket);
            wanted += ticket.wants();
            serve();
            if (unwilling.size() > MOST_UNANSWERED && unwilling.contains(ticket)) {
                withdraw(ticket);
                answer(ticket, ThrottleResult.Refused.byQueue(ticket.scope));
                serve();
            }
            ticket.isEntering = false;
        });
    }

    /**
     * Removes the ticket and returns its tokens. A second call has no effect. If this call may come before the call of
     * {@link #enter} on another thread, call this method again after {@link #enter}.
     */
    void leave(Ticket ticket) {
        update(() -> {
            withdraw(ticket);
            serve();
        });
    }

    /**
     * Changes the rate to the current rate, which is read under the lock: two changes at once end with the last rate. The
     * tokens keep their share of the bucket's size, so there is no burst and no loss.
     */
    void change(Supplier<BucketRate> current) {
        update(() -> {
            BucketRate newRate = current.get();
            if (newRate.equals(rate)) {
                return;
            }
            rate = newRate;
            callOff();
            tokens.change(newRate);
            serve();
        });
    }

    /** Makes a change under the lock, and serves the waiting tickets. */
    void serveAfter(Runnable change) {
        update(() -> {
            change.run();
            serve();
        });
    }

    /** Runs the action after releasing the lock; call this method while holding the lock. */
    void afterwards(Runnable action) {
        afterwards.add(action);
    }

    private void wake() {
        serveAfter(() -> wakeUp = null);
    }

    private void update(Runnable change) {
        List<Runnable> due;
        lock.lock();
        try {
            change.run();
            due = List.copyOf(afterwards);
            afterwards.clear();
        } finally {
            lock.unlock();
        }
        InTurn.run(due);
    }

    /** A ticket that enters has no waiting caller yet, so the completion runs nothing, and the caller sees the answer at once. */
    private void answer(Ticket ticket, ThrottleResult answer) {
        if (ticket.isEntering) {
            ticket.result.complete(answer);
        } else {
            afterwards(() -> ticket.result.complete(answer));
        }
    }

    /** Removes the ticket and returns its tokens. True if the ticket was waiting. */
    private boolean withdraw(Ticket ticket) {
        boolean wasWaiting = takeOut(ticket);
        if (ticket.taken > 0) {
            tokens.putBack(ticket.taken);
            ticket.taken = 0;
        }
        return wasWaiting;
    }

    private boolean takeOut(Ticket ticket) {
        unwilling.remove(ticket);
        boolean wasWaiting = waiting.remove(ticket.client, ticket);
        if (wasWaiting) {
            wanted -= ticket.wants();
        }
        return wasWaiting;
    }

    /** Gives tokens to the queue's head as long as tokens are available. */
    private void serve() {
        long untilMore = TokenSupply.UNKNOWN;
        Ticket head = waiting.head();
        while (head != null) {
            // A large cost is taken in parts that fit into the bucket, and other clients have turns in between.
            Taken part = tokens.take(Math.min(head.cost - head.taken, rate.burst()));
            if (part.tokens() > 0) {
                give(head, part);
            } else if (part.nanosUntilMore() == TokenSupply.UNKNOWN) {
                break;
            } else if (unwilling.contains(head)) {
                refuse(head, part.nanosUntilMore());
            } else {
                untilMore = part.nanosUntilMore();
                long retryAfter = untilMore;
                List.copyOf(unwilling).forEach(ticket -> refuse(ticket, retryAfter));
                break;
            }
            head = waiting.head();
        }
        wakeUpAfter(Math.min(untilMore, tokens.settle(wanted)));
    }

    /** For a ticket without a place in a full queue, the time until enough tokens is unknown. */
    private void refuse(Ticket ticket, long nanosUntilMore) {
        withdraw(ticket);
        answer(
                ticket,
                ticket.shortage == Shortage.WAITS
                        ? ThrottleResult.Refused.byQueue(ticket.scope)
                        : new ThrottleResult.Refused(ticket.scope, Duration.ofNanos(nanosUntilMore)));
    }

    private void give(Ticket ticket, Taken part) {
        wanted -= ticket.wants();
        ticket.taken += part.tokens();
        wanted += ticket.wants();
        waiting.rotate(ticket.client);
        if (ticket.taken == ticket.cost) {
            takeOut(ticket);
            Duration waited = Duration.ofNanos(Math.max(0, time.nanoTime() - ticket.enteredAt));
            answer(ticket, new ThrottleResult.Passed(waited, ticket.scope, part.left()));
        }
    }

    private void wakeUpAfter(long nanos) {
        if (nanos == TokenSupply.UNKNOWN) {
            return;
        }
        long halfFull = Durations.scaled(Durations.saturatedNanos(rate.per()), rate.burst() / 2, rate.tokens());
        long pause = Math.max(nanos, Math.min(PAUSE_NANOS, halfFull));
        long at = time.nanoTime() + pause;
        if (wakeUp == null || at - wakeUpAt < 0) {
            callOff();
            wakeUpAt = at;
            wakeUp = time.after(Duration.ofNanos(pause), this::wake);
        }
    }

    private void callOff() {
        if (wakeUp != null) {
            wakeUp.cancel();
            wakeUp = null;
        }
    }
}
