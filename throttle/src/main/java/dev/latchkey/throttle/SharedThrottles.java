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
 * Creates throttles with rates shared by several nodes. All nodes together pass no more than a single node would, except
 * for tokens drawn in advance: at most a hundredth of a second's tokens per node.
 *
 * <p>Each node serves its waiting requests in turn, like a local throttle; the nodes take turns by portions. If the
 * store fails, or takes longer than {@value #PATIENCE_MILLIS} milliseconds, each node applies the whole rates alone.
 * The node does not know the number of other nodes, and a share that is too small would reject innocent callers. The
 * failure is logged once, and published as {@link ThrottleEvent.StoreLost}. Safe for use by any number of threads.
 */
public final class SharedThrottles {

    private static final Logger LOG = LoggerFactory.getLogger(SharedThrottles.class);

    /** Longer than a pause of a busy machine. After a late answer, the node applies the whole rates alone for a second. */
    private static final int PATIENCE_MILLIS = 200;

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
     * Creates throttles in this store.
     *
     * @param store shared by all nodes
     * @param key of at least 32 bytes, equal on every node, for the digests of callers and sources
     * @param time for refills and waits; not closed here
     * @param listener receives every result of each throttle, and events of the store
     * @return for any number of throttles
     * @throws IllegalArgumentException if the key is too short
     */
    public static SharedThrottles in(PortionStore store, Secret key, GuardTime time, ThrottleListener listener) {
        return new SharedThrottles(store, LimitKeys.shared(key), time, listener);
    }

    /**
     * This node's part of the throttle with this name.
     *
     * @param settings equal on every node: the store uses the rates of its last call
     * @return a throttle with its own queues; only the tokens are shared
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
     * @param answer receives the portion, or null if the store is lost; possibly before this method returns, and never
     *     after the store's time limit
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

    /** Returns tokens to the store if possible. Tokens that do not arrive come back at the bucket's own rate. */
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
