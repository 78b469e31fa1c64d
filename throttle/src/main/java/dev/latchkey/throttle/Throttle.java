package dev.latchkey.throttle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.PortionStore;
import dev.latchkey.auth.guard.internal.Durations;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Limits the rate of an endpoint for each caller, for each source, and for all together.
 *
 * <p>A request creates its {@link #client} once and acquires tokens: all at once, or for a body chunk by chunk. The
 * request passes the caller's bucket, then the source's, then the global bucket, one after the other. Therefore a
 * caller over its own limit neither waits in the queue of the global bucket nor holds global tokens. A request over a
 * rate waits without a thread or is rejected, as configured. Clients that wait for one bucket are served in turn.
 *
 * <p>Unknown sources have no bucket, because all of them would share a single bucket. Unauthenticated callers from unknown
 * sources count as a single client at the global bucket.
 *
 * <p>The rates are for this node, or for several nodes together if {@link SharedThrottles} has created the throttle.
 * Rates can change at run time, and waiting requests use the new rate at once. Safe for use by any number of threads.
 */
public final class Throttle {

    /** The shortest time a bucket is remembered after its last use; longer if the bucket needs longer to be full. */
    private static final long SHORTEST_MEMORY = Duration.ofMinutes(10).toNanos();

    /** Longer than a store's time limit. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(1);

    private static final BucketKey EVERYBODY = new BucketKey(0, 0);

    private final ThrottleSettings settings;
    private final GuardTime time;
    private final ThrottleEvents events;
    private final LimitKeys keys;
    private final @Nullable SharedThrottles shared;
    private final Map<ThrottleScope, BucketRate> rates = new ConcurrentHashMap<>();
    private final Map<ThrottleScope, Cache<BucketKey, QueuedBucket>> buckets = new EnumMap<>(ThrottleScope.class);
    private final AtomicInteger waiting = new AtomicInteger();
    private final LongAdder passed = new LongAdder();
    private final LongAdder refused = new LongAdder();

    private Throttle(
            ThrottleSettings settings,
            GuardTime time,
            ThrottleListener listener,
            LimitKeys keys,
            @Nullable SharedThrottles shared) {
        this.settings = settings;
        this.keys = keys;
        this.shared = shared;
        this.time = time;
        this.events = new ThrottleEvents(listener);
        rates.putAll(settings.rates());
        for (ThrottleScope scope : ThrottleScope.values()) {
            buckets.put(scope, cache(scope));
        }
    }

    private Cache<BucketKey, QueuedBucket> cache(ThrottleScope scope) {
        return Caffeine.newBuilder()
                .maximumSize(settings.maxBuckets())
                .expireAfter(Expiry.<BucketKey, QueuedBucket>accessing((key, bucket) -> memory(scope)))
                .ticker(time::nanoTime)
                .build();
    }

    /**
     * The time a bucket is remembered after its last use: until full. A bucket forgotten earlier would give its burst
     * again. A request may take the last tokens at the end of the longest wait.
     */
    private Duration memory(ThrottleScope scope) {
        BucketRate rate = rates.get(scope);
        if (rate == null) {
            return Duration.ofNanos(SHORTEST_MEMORY);
        }
        long untilFull = Durations.scaled(Durations.saturatedNanos(rate.per()), rate.burst(), rate.tokens());
        long memory = untilFull + Durations.saturatedNanos(settings.longestWait());
        return Duration.ofNanos(memory < 0 ? Long.MAX_VALUE : Math.max(SHORTEST_MEMORY, memory));
    }

    /**
     * Creates a throttle of this node only.
     *
     * @param settings the initial settings
     * @param time for refills and waits; not closed here
     * @return with full buckets
     */
    public static Throttle of(ThrottleSettings settings, GuardTime time) {
        return of(settings, time, ThrottleListener.NONE);
    }

    /**
     * Creates a throttle of this node only, with a listener.
     *
     * @param settings the initial settings
     * @param time for refills and waits; not closed here
     * @param listener receives every result
     * @return with full buckets
     */
    public static Throttle of(ThrottleSettings settings, GuardTime time, ThrottleListener listener) {
        return new Throttle(settings, time, listener, LimitKeys.random(), null);
    }

    static Throttle in(SharedThrottles shared, ThrottleSettings settings) {
        return new Throttle(settings, shared.time(), shared.listener(), shared.keys(), shared);
    }

    /**
     * An unauthenticated caller. The caller passes the bucket of its source, if known, and the global bucket.
     *
     * @param source of the request
     * @return for this request
     */
    public ThrottleClient client(ClientSource source) {
        BucketKey key = keys.source(source);
        return new ThrottleClient(this, null, source.isKnown() ? key : null, key);
    }

    /**
     * An authenticated caller. The caller passes its own bucket, the bucket of its source, if known, and the global
     * bucket.
     *
     * @param source of the request
     * @param principal the authenticated name of the caller
     * @return for this request
     */
    public ThrottleClient client(ClientSource source, String principal) {
        BucketKey caller = keys.principal(principal);
        return new ThrottleClient(this, caller, source.isKnown() ? keys.source(source) : null, caller);
    }

    /**
     * Changes or sets a rate at run time; waiting requests use the new rate. Published as
     * {@link ThrottleEvent.RateChanged}.
     *
     * @param scope the scope of the rate
     * @param rate of each bucket of the scope
     */
    public void changeRate(ThrottleScope scope, BucketRate rate) {
        BucketRate before = rates.put(scope, rate);
        Cache<BucketKey, QueuedBucket> all = cacheOf(scope);
        // Reads each bucket by its key, so that the cache keeps the bucket for the time of the new rate.
        all.asMap().keySet().forEach(key -> {
            QueuedBucket bucket = all.getIfPresent(key);
            if (bucket != null) {
                bucket.change(() -> rates.getOrDefault(scope, rate));
            }
        });
        changed(scope, before, rate);
    }

    /**
     * Removes the limit of this scope. Waiting requests still pass at the old rate. Published as
     * {@link ThrottleEvent.RateChanged}.
     *
     * @param scope no longer limited
     */
    public void removeRate(ThrottleScope scope) {
        changed(scope, rates.remove(scope), null);
    }

    private void changed(ThrottleScope scope, @Nullable BucketRate before, @Nullable BucketRate after) {
        if (!Objects.equals(before, after)) {
            events.on(new ThrottleEvent.RateChanged(limit(scope), text(before), text(after)));
        }
    }

    private String limit(ThrottleScope scope) {
        return settings.name() + "-" + scope.name().toLowerCase(Locale.ROOT);
    }

    private static String text(@Nullable BucketRate rate) {
        return rate == null ? "none" : rate.tokens() + " in " + rate.per() + ", " + rate.burst() + " at once";
    }

    /**
     * The current rate of a scope.
     *
     * @param scope limited or not
     * @return empty if the scope has no rate
     */
    public Optional<BucketRate> rate(ThrottleScope scope) {
        return Optional.ofNullable(rates.get(scope));
    }

    /**
     * The initial settings.
     *
     * @return without later changes; for the current rates see {@link #rate}
     */
    public ThrottleSettings settings() {
        return settings;
    }

    /**
     * The current state and the totals.
     *
     * @return read without a lock, so that numbers may differ by a moment
     */
    public ThrottleSnapshot snapshot() {
        Map<ThrottleScope, Long> counts = new EnumMap<>(ThrottleScope.class);
        buckets.keySet().forEach(scope -> counts.put(scope, tracked(scope)));
        return new ThrottleSnapshot(settings.name(), rates, counts, waiting.get(), passed.sum(), refused.sum());
    }

    /** The bucket of this scope; null if the scope has no rate, or the caller has no key for the scope. */
    @Nullable
    QueuedBucket bucket(ThrottleScope scope, ThrottleClient client) {
        BucketRate rate = rates.get(scope);
        BucketKey key = keyOf(scope, client);
        if (rate == null || key == null) {
            return null;
        }
        QueuedBucket bucket = cacheOf(scope).get(key, any -> make(scope, key, rate));
        // The bucket may be from just before a change of the rate. The change reads the last rate under the bucket's
        // lock.
        bucket.change(() -> rates.getOrDefault(scope, rate));
        return bucket;
    }

    private QueuedBucket make(ThrottleScope scope, BucketKey key, BucketRate rate) {
        return shared == null
                ? QueuedBucket.own(rate, time)
                : QueuedBucket.shared(new PortionStore.Bucket(limit(scope), key, rate), settings.shortage(), shared);
    }

    private static @Nullable BucketKey keyOf(ThrottleScope scope, ThrottleClient client) {
        return switch (scope) {
            case PRINCIPAL -> client.principal();
            case SOURCE -> client.source();
            case GLOBAL -> EVERYBODY;
        };
    }

    @SuppressWarnings("NullAway") // the constructor creates a cache for every scope
    private Cache<BucketKey, QueuedBucket> cacheOf(ThrottleScope scope) {
        return buckets.get(scope);
    }

    /** The number of buckets of this scope, after removing excess buckets. */
    long tracked(ThrottleScope scope) {
        cacheOf(scope).cleanUp();
        return cacheOf(scope).estimatedSize();
    }

    GuardTime time() {
        return time;
    }

    /** The longest wait of a request. Without waiting, a request still waits for the answer of a store. */
    Duration longestWait(Shortage shortage) {
        return shortage == Shortage.WAITS ? settings.longestWait() : LONGEST_ANSWER;
    }

    void waiting(int change) {
        waiting.addAndGet(change);
    }

    void count(ThrottleResult result, Duration waited) {
        if (result instanceof ThrottleResult.Refused no) {
            refused.increment();
            events.on(new ThrottleEvent.Refused(settings.name(), no.scope(), waited));
        } else {
            passed.increment();
            events.on(new ThrottleEvent.Passed(settings.name(), waited));
        }
    }
}
