package dev.latchkey.auth.guard.throttle;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.bucket.BucketMaker;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.internal.Durations;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.local.LockFreeBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket and the queue of the tickets that wait for its tokens.
 *
 * <p>There is one wake-up, for the head of the queue. Bucket4j's own scheduler keeps a debt of tokens and a wake-up for each that
 * waits; with a queue a changed rate holds at once, a ticket that leaves has taken nothing, and clients are served in turn. The
 * rate is exact whatever the timer does, since tokens are only taken when they are there.
 *
 * <p>Safe for use by any number of threads. Futures are completed without the lock.
 */
final class QueuedBucket {

    /** Wake-ups closer together than this only cost processor time, as long as no token is lost between them. */
    private static final long PAUSE_NANOS = 1_000_000;

    /** A request at this bucket. All fields but the final ones are guarded by the bucket's lock. */
    static final class Ticket {

        private final Object client;
        private final ThrottleScope scope;
        private final long cost;
        private final CompletableFuture<ThrottleResult> result = new CompletableFuture<>();
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
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final LockFreeBucket bucket;
    private final GuardTime time;
    private final RoundRobinQueue<Ticket> waiting = new RoundRobinQueue<>();
    private final List<Runnable> answers = new ArrayList<>();
    private BucketRate rate;

    @Nullable
    private WakeUp wakeUp;

    QueuedBucket(BucketRate rate, GuardTime time) {
        this.rate = rate;
        this.time = time;
        this.bucket = BucketMaker.of(rate, time).make();
    }

    /** Takes all tokens now or none. A cost above what the bucket holds asks for a full one, or it could never pass. */
    ThrottleResult tryTake(ThrottleScope scope, long cost) {
        lock.lock();
        try {
            ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(Math.min(cost, rate.burst()));
            return probe.isConsumed()
                    ? new ThrottleResult.Passed(Duration.ZERO, scope, probe.getRemainingTokens())
                    : new ThrottleResult.Refused(scope, Duration.ofNanos(probe.getNanosToWaitForRefill()));
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what {@link #tryTake} took. */
    void giveBack(long cost) {
        lock.lock();
        try {
            bucket.addTokens(Math.min(cost, rate.burst()));
        } finally {
            lock.unlock();
        }
    }

    /** Queues the ticket. It is answered when it has its tokens, maybe before this returns, or at once if the queue is full. */
    void enter(Ticket ticket, int maxWaiting) {
        update(() -> {
            ticket.enteredAt = time.nanoTime();
            waiting.add(ticket.client, ticket);
            serve();
            if (waiting.size() > maxWaiting) {
                withdraw(ticket);
                answer(ticket, ThrottleResult.Refused.byQueue(ticket.scope));
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

    /** From now on this rate. The tokens keep their proportion to what the bucket holds: no burst, and nothing lost. */
    void change(BucketRate newRate) {
        update(() -> {
            if (newRate.equals(rate)) {
                return;
            }
            rate = newRate;
            if (wakeUp != null) {
                // It was set by the old rate, and may be hours away.
                wakeUp.cancel();
                wakeUp = null;
            }
            BucketMaker.of(newRate, time).adopt(bucket);
            serve();
        });
    }

    private void wake() {
        update(() -> {
            wakeUp = null;
            serve();
        });
    }

    private void update(Runnable change) {
        List<Runnable> due;
        lock.lock();
        try {
            change.run();
            due = List.copyOf(answers);
            answers.clear();
        } finally {
            lock.unlock();
        }
        due.forEach(Runnable::run);
    }

    private void answer(Ticket ticket, ThrottleResult answer) {
        answers.add(() -> ticket.result.complete(answer));
    }

    private void withdraw(Ticket ticket) {
        waiting.remove(ticket.client, ticket);
        if (ticket.taken > 0) {
            bucket.addTokens(ticket.taken);
            ticket.taken = 0;
        }
    }

    /** Gives tokens to the queue's head as long as there are enough. */
    private void serve() {
        Ticket head = waiting.head();
        while (head != null) {
            // A large cost is taken in parts, each of which the bucket can hold, and others have their turns in
            // between.
            long part = Math.min(head.cost - head.taken, rate.burst());
            ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(part);
            if (!probe.isConsumed()) {
                wakeUpAfter(probe.getNanosToWaitForRefill());
                return;
            }
            head.taken += part;
            waiting.rotate(head.client);
            if (head.taken == head.cost) {
                waiting.remove(head.client, head);
                Duration waited = Duration.ofNanos(Math.max(0, time.nanoTime() - head.enteredAt));
                answer(head, new ThrottleResult.Passed(waited, head.scope, probe.getRemainingTokens()));
            }
            head = waiting.head();
        }
    }

    private void wakeUpAfter(long nanos) {
        if (wakeUp == null) {
            long halfFull = Durations.scaled(Durations.saturatedNanos(rate.per()), rate.burst() / 2, rate.tokens());
            long pause = Math.max(nanos, Math.min(PAUSE_NANOS, halfFull));
            wakeUp = time.after(Duration.ofNanos(pause), this::wake);
        }
    }
}
