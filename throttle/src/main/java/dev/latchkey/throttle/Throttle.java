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
 * <p>A request creates its {@link #client} once and acquires tokens from it: all at once, or for a body chunk by chunk. It passes the caller's
 * bucket, then the source's, then the global one, each only after the one before. So a caller over its own limit waits in no queue of the global
 * bucket, and holds none of its tokens. A request over a rate waits without a thread or is refused, as configured. Clients that wait for one bucket
 * are served in turn.
 *
 * <p>Unknown sources have no bucket of their own, since all of them would share it. Those that are not authenticated count as one client at the
 * global bucket.
 *
 * <p>The rates are this node's own, or those of several nodes together where {@link SharedThrottles} has made the throttle. They can be changed while
 * running; requests that wait are under the new rate at once. Safe for use by any number of threads.
 */
public final class Throttle {

    /** A bucket is remembered for so long after its last use, and longer where it needs longer to be full again. */
    private static final long SHORTEST_MEMORY = Duration.ofMinutes(10).toNanos();

    /** Longer than a store may take. */
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
     * How long a bucket is remembered after its last use: until it is full again, since a bucket that is forgotten earlier gives its burst once more.
     * A request may take the last tokens at the end of the longest wait.
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
     * A throttle of this node alone.
     *
     * @param settings to begin with
     * @param time of refills and waits; not closed here
     * @return with full buckets
     */
    public static Throttle of(ThrottleSettings settings, GuardTime time) {
        return of(settings, time, ThrottleListener.NONE);
    }

    /**
     * A throttle of this node alone, with a listener.
     *
     * @param settings to begin with
     * @param time of refills and waits; not closed here
     * @param listener hears of every result
     * @return with full buckets
     */
    public static Throttle of(ThrottleSettings settings, GuardTime time, ThrottleListener listener) {
        return new Throttle(settings, time, listener, LimitKeys.random(), null);
    }

    static Throttle in(SharedThrottles shared, ThrottleSettings settings) {
        return new Throttle(settings, shared.time(), shared.listener(), shared.keys(), shared);
    }

    /**
     * A caller that nobody has authenticated. It passes the bucket of its source, where that is known, and the global one.
     *
     * @param source of the request
     * @return for this request
     */
    public ThrottleClient client(ClientSource source) {
        BucketKey here = keys.source(source);
        return new ThrottleClient(this, null, source.isKnown() ? here : null, here);
    }

    /**
     * An authenticated caller. It passes its own bucket, that of its source, where that is known, and the global one.
     *
     * @param source of the request
     * @param principal the name of the caller, as it was authenticated
     * @return for this request
     */
    public ThrottleClient client(ClientSource source, String principal) {
        BucketKey caller = keys.principal(principal);
        return new ThrottleClient(this, caller, source.isKnown() ? keys.source(source) : null, caller);
    }

    /**
     * Changes or sets a rate while running; requests that wait already are under the new one. Published as {@link ThrottleEvent.RateChanged}.
     *
     * @param scope whose rate it is
     * @param rate of each bucket of the scope
     */
    public void changeRate(ThrottleScope scope, BucketRate rate) {
        BucketRate before = rates.put(scope, rate);
        Cache<BucketKey, QueuedBucket> all = cacheOf(scope);
        // Each is read by its key, so that it is remembered for as long as the new rate demands.
        all.asMap().keySet().forEach(key -> {
            QueuedBucket bucket = all.getIfPresent(key);
            if (bucket != null) {
                bucket.change(rate);
            }
        });
        changed(scope, before, rate);
    }

    /**
     * Ends the limit of this scope. Requests that wait for it already still pass at the old rate. Published as {@link ThrottleEvent.RateChanged}.
     *
     * @param scope that is no longer limited
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
     * The rate of a scope, as it is now.
     *
     * @param scope limited or not
     * @return empty if the scope has none
     */
    public Optional<BucketRate> rate(ThrottleScope scope) {
        return Optional.ofNullable(rates.get(scope));
    }

    /**
     * The settings to begin with.
     *
     * @return without the changes since then, for which see {@link #rate}
     */
    public ThrottleSettings settings() {
        return settings;
    }

    /**
     * What holds and happens now, and has happened so far.
     *
     * @return read without a lock, so that numbers may be a moment apart
     */
    public ThrottleSnapshot snapshot() {
        Map<ThrottleScope, Long> counts = new EnumMap<>(ThrottleScope.class);
        buckets.keySet().forEach(scope -> counts.put(scope, tracked(scope)));
        return new ThrottleSnapshot(settings.name(), rates, counts, waiting.get(), passed.sum(), refused.sum());
    }

    /** The bucket of this scope; null if the scope has no rate, or the caller no key there. */
    @Nullable
    QueuedBucket bucket(ThrottleScope scope, ThrottleClient client) {
        BucketRate rate = rates.get(scope);
        BucketKey key = keyOf(scope, client);
        if (rate == null || key == null) {
            return null;
        }
        QueuedBucket bucket = cacheOf(scope).get(key, any -> make(scope, key, rate));
        // It may have been made just before the rate was changed, or removed and set again.
        bucket.change(rate);
        return bucket;
    }

    private QueuedBucket make(ThrottleScope scope, BucketKey key, BucketRate rate) {
        return shared == null
                ? QueuedBucket.own(rate, settings.shortage(), time)
                : QueuedBucket.shared(new PortionStore.Bucket(limit(scope), key, rate), settings.shortage(), shared);
    }

    private static @Nullable BucketKey keyOf(ThrottleScope scope, ThrottleClient client) {
        return switch (scope) {
            case PRINCIPAL -> client.principal();
            case SOURCE -> client.source();
            case GLOBAL -> EVERYBODY;
        };
    }

    @SuppressWarnings("NullAway") // every scope was given its cache by the constructor
    private Cache<BucketKey, QueuedBucket> cacheOf(ThrottleScope scope) {
        return buckets.get(scope);
    }

    /** How many buckets of this scope there are, after those that are too many were forgotten. */
    long tracked(ThrottleScope scope) {
        cacheOf(scope).cleanUp();
        return cacheOf(scope).estimatedSize();
    }

    GuardTime time() {
        return time;
    }

    /** How long a request may wait. Where requests over a rate are refused, it still waits for the answer of a store. */
    Duration longestWait() {
        return settings.shortage() == Shortage.WAITS ? settings.longestWait() : LONGEST_ANSWER;
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
