package dev.latchkey.throttle;

import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.PortionStore.Bucket;
import dev.latchkey.auth.guard.bucket.PortionStore.Portion;
import dev.latchkey.auth.guard.bucket.PortionStore.Wish;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * This node's part of a shared bucket: portions drawn from the store, and a local bucket for outages of the store.
 *
 * <p>The node draws the tokens for its waiting tickets. In advance, the node draws as many as were used recently, at
 * most the flow of half of {@value #PORTION_MILLIS} milliseconds. An idle node holds no more and returns the rest soon.
 * If the bucket is empty, the store promises a portion of {@value #PORTION_MILLIS} milliseconds for later. The node
 * asks for the next portion shortly before. Therefore nodes in a shortage take turns by portions, with any number of
 * waiting tickets. Each node asks at most a hundred times per second, even for a busy bucket.
 *
 * <p>Everything except the questions to the store runs under the lock of the queue.
 */
final class SharedTokens implements TokenSupply {

    /** The size of a promise, as a time of the rate's flow. */
    private static final int PORTION_MILLIS = 10;

    static final long PORTION_NANOS = Duration.ofMillis(PORTION_MILLIS).toNanos();

    /**
     * Longer than a timer's delay, and too short to notice. The interval is used for three purposes: holding unused
     * tokens, treating a bucket as empty when no ticket waits, and promising portions in advance.
     */
    private static final long INTERVAL_NANOS = Duration.ofMillis(20).toNanos();

    /** A later promise is useless: the tokens are better left for requests before then. */
    private static final Duration LONGEST_PROMISE = Duration.ofSeconds(1);

    private final SharedThrottles store;
    private final QueuedBucket queue;
    private final Shortage shortage;
    private final GuardTime time;
    private final OwnTokens own;
    private final RecentUse use;
    private final Promises promises = new Promises();
    private final EmptyBucket empty;
    private Bucket bucket;
    private boolean isAsking;

    /** Drawn tokens that are not used yet. */
    private long held;

    private long heldSince;

    /** The tokens in the store at the last answer. */
    private long left;

    /** The last ticket's missing tokens that only the store can give; zero after an answer. */
    private long lacking;

    SharedTokens(Bucket bucket, Shortage shortage, SharedThrottles store, QueuedBucket queue) {
        this.bucket = bucket;
        this.shortage = shortage;
        this.store = store;
        this.queue = queue;
        this.time = store.time();
        this.own = new OwnTokens(bucket.rate(), time);
        long now = time.nanoTime();
        this.use = new RecentUse(INTERVAL_NANOS, now);
        this.empty = new EmptyBucket(bucket.rate(), INTERVAL_NANOS, now);
    }

    @Override
    public Taken take(long tokens) {
        long now = time.nanoTime();
        collect(now);
        long part = shortage == Shortage.WAITS || held >= tokens ? Math.min(held, tokens) : 0;
        if (part > 0) {
            held -= part;
            use.count(part, now);
            return new Taken(part, held + left, 0);
        }
        if (store.isLost()) {
            use.count(tokens, now);
            return own.take(tokens);
        }
        lacking = tokens - held;
        return Taken.none(nanosUntilMore(now));
    }

    /**
     * The time until more tokens. A waiting ticket is served when tokens arrive. A rejected ticket gets the store's
     * latest answer.
     */
    private long nanosUntilMore(long now) {
        if (shortage == Shortage.WAITS) {
            long first = promises.nanosUntilFirst(now);
            long pause = empty.nanosUntilAsked(now);
            return first == UNKNOWN && pause > 0 ? pause : first;
        }
        return empty.nanosUntilAsked(now) > 0 ? empty.nanosUntil(lacking, now) : UNKNOWN;
    }

    /**
     * Returns tokens. During an outage the tokens may come from this node's own bucket. If the outage is over, they
     * still count as drawn tokens, because they are never more than a bucket holds.
     */
    @Override
    public void putBack(long tokens) {
        if (store.isLost()) {
            own.putBack(tokens);
        } else {
            hold(Math.min(tokens, bucket.rate().burst() - held), time.nanoTime());
        }
    }

    /** Changes the rate. Promises at the old rate may be too late or too large, so they are returned. */
    @Override
    public void change(BucketRate rate) {
        long unused = held + promises.all();
        held = 0;
        giveBack(unused);
        own.change(rate);
        bucket = new Bucket(bucket.name(), bucket.key(), rate);
        empty.change(rate, time.nanoTime());
    }

    @Override
    public long settle(long wanted) {
        long now = time.nanoTime();
        collect(now);
        if (isTimeToAsk(wanted, now)) {
            Wish wish = wish(wanted, now);
            Bucket from = bucket;
            isAsking = true;
            queue.afterwards(() -> store.draw(from, wish, portion -> answered(wish, portion)));
        }
        lacking = 0;
        if (wanted == 0 && now - heldSince >= INTERVAL_NANOS) {
            long unused = held;
            held = 0;
            giveBack(unused);
        }
        return nanosUntilNext(wanted, now);
    }

    private boolean isTimeToAsk(long wanted, long now) {
        if (isAsking || empty.nanosUntilAsked(now) > 0 || promises.nanosUntilLast(now) > INTERVAL_NANOS) {
            return false;
        }
        if (lacking > 0) {
            // Also if the store was lost just now: the answer is then the loss, and this node's own bucket is used.
            return wanted > coming();
        }
        return store.isAsked() && (2 * coming() < ahead(now) || isToBeFound(now));
    }

    /** Whether the next ticket must test if a lost store is back. */
    private boolean isToBeFound(long now) {
        return store.isLost() && use.tokens(now) > 0;
    }

    private Wish wish(long wanted, long now) {
        long most = Math.min(
                Math.max(1, wanted + ahead(now) - coming()), bucket.rate().burst());
        if (lacking == 0) {
            return new Wish(1, most, Duration.ZERO);
        }
        return shortage == Shortage.WAITS
                ? new Wish(Math.min(most, portion()), most, LONGEST_PROMISE)
                : new Wish(Math.min(most, lacking), most, Duration.ZERO);
    }

    private long coming() {
        return held + promises.tokens();
    }

    private void answered(Wish wish, @Nullable Portion portion) {
        queue.serveAfter(() -> {
            isAsking = false;
            if (portion == null) {
                // The store is lost: waiting tickets continue with this node's own bucket.
                return;
            }
            long now = time.nanoTime();
            long after = Durations.saturatedNanos(portion.after());
            left = portion.left();
            if (portion.tokens() == 0) {
                denied(wish, after, now);
                return;
            }
            promises.add(now + after, portion.tokens());
            if (left == 0 && shortage == Shortage.REFUSES) {
                empty.emptied(now);
            }
        });
    }

    private void denied(Wish wish, long after, long now) {
        if (shortage == Shortage.REFUSES) {
            empty.denied(wish.least(), after, now);
        } else if (wish.longestWait().isZero()) {
            // The question was not for a ticket.
            use.forget();
        } else {
            empty.pause(after - LONGEST_PROMISE.toNanos(), now);
        }
    }

    private void collect(long now) {
        long due = promises.due(now);
        if (due > 0) {
            hold(due, now);
        }
    }

    private void hold(long tokens, long now) {
        held += tokens;
        heldSince = now;
    }

    private void giveBack(long tokens) {
        if (tokens > 0) {
            Bucket to = bucket;
            queue.afterwards(() -> store.giveBack(to, tokens));
        }
    }

    private long nanosUntilNext(long wanted, long now) {
        long next = promises.nanosUntilFirst(now);
        if (held > 0 && wanted == 0) {
            next = Math.min(next, heldSince + INTERVAL_NANOS - now);
        }
        long pause = empty.nanosUntilAsked(now);
        if (wanted > 0 && pause > 0) {
            next = Math.min(next, pause);
        }
        return next;
    }

    /** The tokens wanted in advance for later tickets; zero if a portion is a single token. */
    private long ahead(long now) {
        return Math.min(use.tokens(now), portion() / 2);
    }

    private long portion() {
        BucketRate rate = bucket.rate();
        long flow = Durations.scaled(PORTION_NANOS, rate.tokens(), Durations.saturatedNanos(rate.per()));
        return Math.max(1, Math.min(flow, rate.burst()));
    }
}
