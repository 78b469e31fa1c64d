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
 * This node's part of a bucket that several nodes share: portions that it has drawn from the store, and a bucket of its own for when the store does
 * not answer.
 *
 * <p>It draws what the waiting tickets want, and ahead of need as much again as was used lately, but at most what flows in half of {@value
 * #PORTION_MILLIS} milliseconds. So a node that falls idle holds no more than that, and gives it back soon. Where the bucket is empty, the store
 * promises a portion for later, of {@value #PORTION_MILLIS} milliseconds, and the node asks for the next one when that is near. So nodes which want
 * more than there is take turns by portions, however many tickets wait at each; and each node asks at most a hundred times in a second, however hot
 * the bucket is.
 *
 * <p>All but the questions to the store is done under the lock of its queue.
 */
final class SharedTokens implements TokenSupply {

    /** How much of the rate is promised at a time. */
    private static final int PORTION_MILLIS = 10;

    static final long PORTION_NANOS = Duration.ofMillis(PORTION_MILLIS).toNanos();

    /**
     * More than a timer is late, and less than anybody notices. So long are tokens held that nobody wants, is an empty bucket taken to be empty where
     * nothing waits, and are portions promised ahead.
     */
    private static final long INTERVAL_NANOS = Duration.ofMillis(20).toNanos();

    /** A promise for later than this is not wanted: its tokens are better left to those who come until then. */
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

    /** Tokens that were drawn, and are not used yet. */
    private long held;

    private long heldSince;

    /** Tokens that were in the store when it was asked last. */
    private long left;

    /** What the last ticket lacked that nothing but the store can give; zero once that was settled. */
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

    /** Until there is more. A ticket that waits is served when there is something; one that is refused is to be told what the store said just now. */
    private long nanosUntilMore(long now) {
        if (shortage == Shortage.WAITS) {
            return promises.nanosUntilFirst(now);
        }
        return empty.nanosUntilAsked(now) > 0 ? empty.nanosUntil(lacking, now) : UNKNOWN;
    }

    /**
     * Puts tokens back. During an outage they may have been taken from this node's own bucket; if the outage is over by now they are added to the
     * rest all the same, since they are no more than a bucket holds.
     */
    @Override
    public void putBack(long tokens) {
        if (store.isLost()) {
            own.putBack(tokens);
        } else {
            hold(Math.min(tokens, bucket.rate().burst() - held), time.nanoTime());
        }
    }

    /** Changes the rate. What was promised by the old rate may be far away, or too much, so it goes back. */
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
            // Even if the store was lost just now: that is the answer then, and this node's own bucket is used.
            return wanted > coming();
        }
        return store.isAsked() && (2 * coming() < ahead(now) || isToBeFound(now));
    }

    /** Whether the next ticket is to find out that a lost store is back. */
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
                // The store is lost: those that wait go on with what this node has of its own.
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
            // It was for nobody yet.
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

    /** What this node wants for tickets that may come next; nothing where a portion is a single token. */
    private long ahead(long now) {
        return Math.min(use.tokens(now), portion() / 2);
    }

    private long portion() {
        BucketRate rate = bucket.rate();
        long flow = Durations.scaled(PORTION_NANOS, rate.tokens(), Durations.saturatedNanos(rate.per()));
        return Math.max(1, Math.min(flow, rate.burst()));
    }
}
