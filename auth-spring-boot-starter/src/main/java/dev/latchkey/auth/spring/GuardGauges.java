package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.HashingPool;
import dev.latchkey.auth.guard.HashingPoolStats;
import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.LoginLimits;
import dev.latchkey.auth.guard.LoginLimitsStats;
import dev.latchkey.auth.guard.ThrottleScope;
import dev.latchkey.auth.guard.ThrottleSnapshot;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Shows what the guard's pools, limits and throttles say of themselves. */
final class GuardGauges implements MeterBinder {

    static final String POOL_THREADS = "latchkey.hashing.threads";
    static final String POOL_ACTIVE = "latchkey.hashing.active";
    static final String POOL_QUEUED = "latchkey.hashing.queued";
    static final String POOL_MEMORY = "latchkey.hashing.memory";
    static final String POOL_TASKS = "latchkey.hashing.tasks";
    static final String LIMITS_WAITING = "latchkey.limits.waiting";
    static final String LIMITS_REMEMBERED = "latchkey.limits.remembered";
    static final String REFUSALS_HELD = "latchkey.refusals.held";
    static final String THROTTLE_WAITING = "latchkey.throttle.waiting";
    static final String THROTTLE_BUCKETS = "latchkey.throttle.buckets";

    private final Map<String, HashingPool> pools;
    private final Map<String, LoginLimits> limits;
    private final Map<String, HeldRefusals> refusals;
    private final Map<String, Supplier<ThrottleSnapshot>> throttles;

    /** @param pools, limits and refusals by their beans' names; a throttle has one of its own */
    GuardGauges(
            Map<String, HashingPool> pools,
            Map<String, LoginLimits> limits,
            Map<String, HeldRefusals> refusals,
            Map<String, Supplier<ThrottleSnapshot>> throttles) {
        this.pools = Map.copyOf(pools);
        this.limits = Map.copyOf(limits);
        this.refusals = Map.copyOf(refusals);
        this.throttles = Map.copyOf(throttles);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        pools.forEach((name, pool) -> bind(registry, pool, Tags.of("pool", name)));
        limits.forEach((name, limit) -> bind(registry, limit, Tags.of("limits", name)));
        refusals.forEach((name, held) -> Gauge.builder(REFUSALS_HELD, held, HeldRefusals::held)
                .tags("refusals", name)
                .register(registry));
        throttles.forEach((name, snapshot) -> bind(registry, snapshot, Tags.of("throttle", name)));
    }

    private static void bind(MeterRegistry registry, HashingPool pool, Tags tags) {
        gauge(registry, POOL_THREADS, tags, pool, HashingPoolStats::threads);
        gauge(registry, POOL_ACTIVE, tags, pool, HashingPoolStats::running);
        gauge(registry, POOL_QUEUED, tags, pool, HashingPoolStats::queued);
        Gauge.builder(POOL_MEMORY, pool, from -> from.stats().memoryInUse())
                .tags(tags)
                .baseUnit("bytes")
                .register(registry);
        count(registry, pool, tags.and("result", "completed"), HashingPoolStats::completed);
        count(registry, pool, tags.and("result", "failed"), HashingPoolStats::failed);
        count(registry, pool, tags.and("result", "refused_full"), HashingPoolStats::refusedFull);
        count(registry, pool, tags.and("result", "refused_late"), HashingPoolStats::refusedLate);
        count(registry, pool, tags.and("result", "abandoned"), HashingPoolStats::abandoned);
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            Tags tags,
            HashingPool pool,
            ToDoubleFunction<HashingPoolStats> value) {
        Gauge.builder(name, pool, from -> value.applyAsDouble(from.stats()))
                .tags(tags)
                .register(registry);
    }

    private static void count(
            MeterRegistry registry, HashingPool pool, Tags tags, ToDoubleFunction<HashingPoolStats> count) {
        FunctionCounter.builder(POOL_TASKS, pool, from -> count.applyAsDouble(from.stats()))
                .tags(tags)
                .register(registry);
    }

    private static void bind(MeterRegistry registry, LoginLimits limits, Tags tags) {
        gauge(registry, LIMITS_WAITING, tags, limits, LoginLimitsStats::waiting);
        gauge(registry, LIMITS_REMEMBERED, tags, limits, LoginLimitsStats::remembered);
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            Tags tags,
            LoginLimits limits,
            ToDoubleFunction<LoginLimitsStats> value) {
        Gauge.builder(name, limits, from -> value.applyAsDouble(from.stats()))
                .tags(tags)
                .register(registry);
    }

    private static void bind(MeterRegistry registry, Supplier<ThrottleSnapshot> throttle, Tags tags) {
        Gauge.builder(THROTTLE_WAITING, () -> throttle.get().waiting())
                .tags(tags)
                .register(registry);
        for (ThrottleScope scope : ThrottleScope.values()) {
            Gauge.builder(THROTTLE_BUCKETS, () -> throttle.get().buckets().getOrDefault(scope, 0L))
                    .tags(tags.and("scope", scope.name().toLowerCase(Locale.ROOT)))
                    .register(registry);
        }
    }
}
