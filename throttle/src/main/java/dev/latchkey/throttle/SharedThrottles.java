package dev.latchkey.throttle;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.bucket.PortionStore.Bucket;
import dev.latchkey.auth.guard.bucket.PortionStore.Portion;
import dev.latchkey.auth.guard.bucket.PortionStore.Wish;
import dev.latchkey.auth.guard.bucket.StoreWatch;
import dev.latchkey.auth.guard.internal.Futures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes throttles whose rates several nodes share. All nodes together let through no more than one would, apart from the tokens that each draws
 * ahead: at most those of a hundredth of a second.
 *
 * <p>Each node serves those that wait at it in turn, as a throttle of its own does; nodes take turns by portions. While the store fails, or takes
 * longer than {@value #PATIENCE_MILLIS} milliseconds, each node applies the whole rates alone: it does not know how many others there are, and a
 * share that is too small would refuse innocent callers. That is logged once, and published as {@link ThrottleEvent.StoreLost}. Safe for use by any
 * number of threads.
 */
public final class SharedThrottles {

    private static final Logger LOG = LoggerFactory.getLogger(SharedThrottles.class);
    private static final int PATIENCE_MILLIS = 50;
    private static final long PATIENCE_NANOS =
            Duration.ofMillis(PATIENCE_MILLIS).toNanos();

    private final PortionStore store;
    private final StoreWatch watch;
    private final LimitKeys keys;
    private final GuardTime time;
    private final ThrottleListener listener;

    private SharedThrottles(PortionStore store, LimitKeys keys, GuardTime time, ThrottleListener listener) {
        ThrottleEvents events = new ThrottleEvents(listener);
        this.store = store;
        this.watch = new StoreWatch(
                "throttles",
                "each node gives their whole rates by itself",
                time,
                () -> events.on(new ThrottleEvent.StoreLost()),
                () -> events.on(new ThrottleEvent.StoreFound()));
        this.keys = keys;
        this.time = time;
        this.listener = listener;
    }

    /**
     * Throttles in this store.
     *
     * @param store shared by all nodes
     * @param key of at least 32 bytes, the same on every node, under which callers and sources are digested
     * @param time of refills and waits; not closed here
     * @param listener hears of every result of each throttle, and of the store
     * @return for any number of throttles
     * @throws IllegalArgumentException if the key is too short
     */
    public static SharedThrottles in(PortionStore store, Secret key, GuardTime time, ThrottleListener listener) {
        return new SharedThrottles(store, LimitKeys.shared(key), time, listener);
    }

    /**
     * This node's part of the throttle that has this name on all nodes.
     *
     * @param settings the same on every node: the store goes by the rates of its last call
     * @return a throttle of its own queues; only the tokens are shared
     */
    public Throttle throttle(ThrottleSettings settings) {
        return Throttle.in(this, settings);
    }

    LimitKeys keys() {
        return keys;
    }

    GuardTime time() {
        return time;
    }

    ThrottleListener listener() {
        return listener;
    }

    /** Whether the store does not answer. */
    boolean isLost() {
        return watch.isLost();
    }

    /** Whether {@link #draw} would ask the store now. */
    boolean isAsked() {
        return watch.isAsked();
    }

    /**
     * Asks the store for a portion.
     *
     * @param answer takes the portion, or null if the store is lost; maybe before this returns, and never later than the store may take
     */
    void draw(Bucket bucket, Wish wish, Consumer<@Nullable Portion> answer) {
        CompletableFuture<Portion> question = watch.ask(
                        () -> store.draw(bucket, wish), PATIENCE_NANOS, late -> giveBack(bucket, late.tokens()))
                .orElse(null);
        if (question == null) {
            answer.accept(null);
        } else {
            Futures.onEnd(question, (portion, failure) -> answer.accept(portion));
        }
    }

    /** Gives tokens back, as far as the store takes them. What does not arrive comes back at the bucket's own rate. */
    void giveBack(Bucket bucket, long tokens) {
        if (tokens > 0) {
            try {
                Object unused = store.giveBack(bucket, tokens);
            } catch (RuntimeException e) {
                LOG.debug("Tokens of a shared throttle were not taken back", e);
            }
        }
    }
}
