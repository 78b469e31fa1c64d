package dev.latchkey.auth.guard.throttle;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.GuardTime.WakeUp;
import dev.latchkey.auth.guard.bucket.BucketMaker;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.internal.Durations;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.local.LockFreeBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bucket with those that wait for it.
 *
 * <p>Waiting is a queue and one wake-up for its head, rather than a debt of tokens and a wake-up for each, as Bucket4j's own
 * scheduler keeps: so a changed rate holds at once for those that wait, whoever goes away has taken nothing, and clients are
 * served in turn. The bucket's rate is exact whatever the timer does, since tokens are only taken when they are there.
 */
final class QueuedBucket {

    /** Wake-ups closer together than this only cost processor time, as long as no token is lost between them. */
    private static final long PAUSE_NANOS = 1_000_000;

    /** A request at this bucket. All fields but the first three are guarded by the bucket's lock. */
    static final class Ticket {

        private final Object client;
        private final long cost;
        private final Runnable passed;
        private long taken;
        private boolean left;
        private volatile long remaining;

        Ticket(Object client, long cost, Runnable passed) {
            this.client = client;
            this.cost = cost;
            this.passed = passed;
        }

        /** What the bucket held after this ticket's last token was taken. */
        long remaining() {
            return remaining;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final LockFreeBucket bucket;
    private final GuardTime time;
    private final RoundRobinQueue<Ticket> waiting = new RoundRobinQueue<>();
    private BucketRate rate;

    @Nullable
    private WakeUp wakeUp;

    QueuedBucket(BucketRate rate, GuardTime time) {
        this.rate = rate;
        this.time = time;
        this.bucket = BucketMaker.of(rate, time).make();
    }

    /** Takes all tokens now or none. A cost above what the bucket holds asks for a full one, or it could never pass. */
    ConsumptionProbe tryTake(long cost) {
        lock.lock();
        try {
            return bucket.tryConsumeAndReturnRemaining(Math.min(cost, rate.burst()));
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

    /** Queues the ticket, and lets it pass as soon as it may, maybe before this returns; false if the queue is full. */
    boolean enter(Ticket ticket, int maxWaiting) {
        List<Ticket> through;
        boolean accepted;
        lock.lock();
        try {
            waiting.add(ticket.client, ticket);
            through = serve();
            accepted = waiting.size() <= maxWaiting || through.contains(ticket);
            if (!accepted) {
                withdraw(ticket);
            }
        } finally {
            lock.unlock();
        }
        through.forEach(each -> each.passed.run());
        return accepted;
    }

    /** Takes the ticket out and puts back what it took; leaving twice is the same as once. */
    void leave(Ticket ticket) {
        List<Ticket> through;
        lock.lock();
        try {
            withdraw(ticket);
            through = serve();
        } finally {
            lock.unlock();
        }
        through.forEach(each -> each.passed.run());
    }

    /** From now on this rate. The tokens keep their proportion to what the bucket holds: no burst, and nothing lost. */
    void change(BucketRate newRate) {
        List<Ticket> through;
        lock.lock();
        try {
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
            through = serve();
        } finally {
            lock.unlock();
        }
        through.forEach(each -> each.passed.run());
    }

    long available() {
        return bucket.getAvailableTokens();
    }

    private void withdraw(Ticket ticket) {
        waiting.remove(ticket.client, ticket);
        if (!ticket.left && ticket.taken > 0) {
            bucket.addTokens(ticket.taken);
        }
        ticket.left = true;
    }

    /** Gives tokens to the queue's head as long as there are enough; those that have all they need. */
    private List<Ticket> serve() {
        List<Ticket> through = new ArrayList<>();
        Ticket head = waiting.head();
        while (head != null) {
            // A large cost is taken in parts, each of which the bucket can hold, and others have their turns in
            // between.
            long part = Math.min(head.cost - head.taken, rate.burst());
            ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(part);
            if (!probe.isConsumed()) {
                wakeUpAfter(probe.getNanosToWaitForRefill());
                return through;
            }
            head.taken += part;
            head.remaining = probe.getRemainingTokens();
            waiting.rotate(head.client);
            if (head.taken == head.cost) {
                waiting.remove(head.client, head);
                through.add(head);
            }
            head = waiting.head();
        }
        return through;
    }

    private void wakeUpAfter(long nanos) {
        if (wakeUp == null) {
            long halfFull = Durations.scaled(Durations.saturatedNanos(rate.per()), rate.burst() / 2, rate.tokens());
            long pause = Math.max(nanos, Math.min(PAUSE_NANOS, halfFull));
            wakeUp = time.after(Duration.ofNanos(pause), this::wake);
        }
    }

    private void wake() {
        List<Ticket> through;
        lock.lock();
        try {
            wakeUp = null;
            through = serve();
        } finally {
            lock.unlock();
        }
        through.forEach(each -> each.passed.run());
    }
}
