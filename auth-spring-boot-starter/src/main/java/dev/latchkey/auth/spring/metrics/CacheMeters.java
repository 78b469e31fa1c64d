package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.cache.CredentialCache;
import dev.latchkey.auth.cache.CredentialCacheStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The statistics of each credential cache, read when a registry asks. */
final class CacheMeters implements MeterBinder {

    static final String GETS = "latchkey.cache.gets";
    static final String LOADS = "latchkey.cache.loads";
    static final String EVICTIONS = "latchkey.cache.evictions";
    static final String SIZE = "latchkey.cache.size";
    static final String MAXIMUM = "latchkey.cache.size.max";
    static final String IN_FLIGHT = "latchkey.cache.loads.active";
    static final String LOAD_TIME = "latchkey.cache.load.mean";
    static final String SAVED = "latchkey.cache.saved";
    static final String HASH_CORES = "latchkey.cache.hash.cores";

    private final Map<String, CredentialCache> caches;

    /**
     * @param caches by bean name
     */
    CacheMeters(Map<String, CredentialCache> caches) {
        this.caches = Map.copyOf(caches);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        caches.forEach((name, cache) -> new Binding(registry, cache, Tags.of("cache", name)).bind());
    }

    private record Binding(MeterRegistry registry, CredentialCache cache, Tags tags) {

        void bind() {
            counter(GETS, "result", "hit", CredentialCacheStats::hits);
            counter(GETS, "result", "absent", CredentialCacheStats::missesAbsent);
            counter(GETS, "result", "other", CredentialCacheStats::missesOther);
            counter(GETS, "result", "expired", CredentialCacheStats::missesExpired);
            counter(GETS, "result", "bypassed", CredentialCacheStats::bypassed);
            counter(LOADS, "result", "stored", CredentialCacheStats::stored);
            counter(LOADS, "result", "not_stored", CredentialCacheStats::notStored);
            counter(LOADS, "result", "failed", CredentialCacheStats::failedLoads);
            counter(LOADS, "result", "shared", CredentialCacheStats::waiters);
            counter(EVICTIONS, "cause", "size", CredentialCacheStats::evictedBySize);
            counter(EVICTIONS, "cause", "bound", CredentialCacheStats::evictedByBound);
            counter(EVICTIONS, "cause", "expiry", CredentialCacheStats::evictedByExpiry);
            counter(EVICTIONS, "cause", "request", CredentialCacheStats::evictedByRequest);
            gauge(SIZE, CredentialCacheStats::size);
            gauge(MAXIMUM, CredentialCacheStats::maximumSize);
            gauge(IN_FLIGHT, CredentialCacheStats::inFlight);
            gauge(HASH_CORES, CredentialCacheStats::hashCores);
            time(LOAD_TIME, stats -> stats.meanLoadTime().toNanos());
            time(SAVED, stats -> stats.estimatedHashTimeSaved().toNanos());
        }

        private void counter(String name, String key, String value, ToDoubleFunction<CredentialCacheStats> count) {
            FunctionCounter.builder(name, cache, from -> count.applyAsDouble(from.stats()))
                    .tags(tags.and(key, value))
                    .register(registry);
        }

        private void gauge(String name, ToDoubleFunction<CredentialCacheStats> value) {
            Gauge.builder(name, cache, from -> value.applyAsDouble(from.stats()))
                    .tags(tags)
                    .register(registry);
        }

        private void time(String name, ToDoubleFunction<CredentialCacheStats> nanos) {
            TimeGauge.builder(name, cache, TimeUnit.NANOSECONDS, from -> nanos.applyAsDouble(from.stats()))
                    .tags(tags)
                    .register(registry);
        }
    }
}
