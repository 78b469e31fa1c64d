package dev.latchkey.throttle;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.throttle.TokenSupply.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket, of this node or of several, and the queue of the tickets that wait for its tokens.
 *
 * <p>There is one wake-up, for the head of the queue. Bucket4j's own scheduler keeps a debt of tokens and a wake-up for each that waits. With a queue
 * a changed rate holds at once, a ticket that leaves has taken nothing, and clients are served in turn. The rate is exact whatever the timer does,
 * since tokens are only taken when they are there.
 *
 * <p>Safe for use by any number of threads. Futures are completed without the lock.
 */
final class QueuedBucket {

    /** Wake-ups closer together than this only cost processor time, as long as no token is lost between them. */
    private static final long PAUSE_NANOS = 1_000_000;

    /** The most that is counted of what a ticket wants. */
    private static final long MOST_COUNTED = Integer.MAX_VALUE;

    /** A request at this bucket. All fields but the final ones are guarded by the bucket's lock. */
    static final class Ticket {

        private final Object client;
        private final ThrottleScope scope;
        private final CompletableFuture<ThrottleResult> result = new CompletableFuture<>();
        private long cost;
        private long enteredAt;
        private long taken;

        /** @param scope of the bucket, for the answer */
        Ticket(Object client, ThrottleScope scope, long cost) {
            this.client = client;
            this.scope = scope;
            this.cost = cost;
        }

        CompletableFuture<ThrottleResult> result() {
            return result;
        }

        /** What the ticket still wants, bounded so that the sum of ten thousand tickets does not overflow. */
        private long wants() {
            return Math.min(cost - taken, MOST_COUNTED);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final GuardTime time;
    private final Shortage shortage;
    private final TokenSupply tokens;
    private final RoundRobinQueue<Ticket> waiting = new RoundRobinQueue<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private BucketRate rate;

    /** What all tickets that wait want together. */
    private long wanted;

    private @Nullable WakeUp wakeUp;
    private long wakeUpAt;

    private QueuedBucket(
            BucketRate rate, Shortage shortage, GuardTime time, Function<QueuedBucket, TokenSupply> tokens) {
        this.rate = rate;
        this.shortage = shortage;
        this.time = time;
        this.tokens = tokens.apply(this);
    }

    /** A bucket of this node alone. */
    static QueuedBucket own(BucketRate rate, Shortage shortage, GuardTime time) {
        return new QueuedBucket(rate, shortage, time, queue -> new OwnTokens(rate, time));
    }

    /** A bucket of several nodes. */
    static QueuedBucket shared(PortionStore.Bucket bucket, Shortage shortage, SharedThrottles store) {
        return new QueuedBucket(
                bucket.rate(), shortage, store.time(), queue -> new SharedTokens(bucket, shortage, store, queue));
    }

    /**
     * Queues the ticket. It is answered when it has its tokens, or is known not to get them, maybe before this returns; or at once if the queue is
     * full. Where nothing waits, a cost above what the bucket holds is taken as that of a full bucket: it could never pass otherwise.
     */
    void enter(Ticket ticket, int maxWaiting) {
        update(() -> {
            ticket.enteredAt = time.nanoTime();
            if (shortage == Shortage.REFUSES) {
                ticket.cost = Math.min(ticket.cost, rate.burst());
            }
            waiting.add(ticket.client, ticket);
            wanted += ticket.wants();
            serve();
            if (waiting.size() > maxWaiting && withdraw(ticket)) {
                answer(ticket, ThrottleResult.Refused.byQueue(ticket.scope));
                serve();
            }
        });
    }

    /**
     * Takes the ticket out and puts back what it took. Leaving twice is the same as once; one that leaves before it enters, while
     * another thread lets it in, has to leave again.
     */
    void leave(Ticket ticket) {
        update(() -> {
            withdraw(ticket);
            serve();
        });
    }

    /** Changes the rate. The tokens keep their proportion to what the bucket holds, so that there is no burst and nothing is lost. */
    void change(BucketRate newRate) {
        update(() -> {
            if (newRate.equals(rate)) {
                return;
            }
            rate = newRate;
            callOff();
            tokens.change(newRate);
            serve();
        });
    }

    /** Makes a change under the lock, and serves those that wait. */
    void serveAfter(Runnable change) {
        update(() -> {
            change.run();
            serve();
        });
    }

    /** Runs the action when the lock is free again; to be called under it. */
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
        due.forEach(Runnable::run);
    }

    private void answer(Ticket ticket, ThrottleResult answer) {
        afterwards(() -> ticket.result.complete(answer));
    }

    /** Takes the ticket out and puts back what it took. True if it was waiting. */
    private boolean withdraw(Ticket ticket) {
        boolean wasWaiting = takeOut(ticket);
        if (ticket.taken > 0) {
            tokens.putBack(ticket.taken);
            ticket.taken = 0;
        }
        return wasWaiting;
    }

    private boolean takeOut(Ticket ticket) {
        boolean wasWaiting = waiting.remove(ticket.client, ticket);
        if (wasWaiting) {
            wanted -= ticket.wants();
        }
        return wasWaiting;
    }

    /** Gives tokens to the queue's head as long as there are any. */
    private void serve() {
        long untilMore = TokenSupply.UNKNOWN;
        Ticket head = waiting.head();
        while (head != null) {
            // A large cost is taken in parts, each of which the bucket can hold, and others have their turns in
            // between.
            Taken part = tokens.take(Math.min(head.cost - head.taken, rate.burst()));
            if (part.tokens() > 0) {
                give(head, part);
            } else if (shortage == Shortage.REFUSES && part.nanosUntilMore() != TokenSupply.UNKNOWN) {
                withdraw(head);
                answer(head, new ThrottleResult.Refused(head.scope, Duration.ofNanos(part.nanosUntilMore())));
            } else {
                untilMore = part.nanosUntilMore();
                break;
            }
            head = waiting.head();
        }
        wakeUpAfter(Math.min(untilMore, tokens.settle(wanted)));
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
