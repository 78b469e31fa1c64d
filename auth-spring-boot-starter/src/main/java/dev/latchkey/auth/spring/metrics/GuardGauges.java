package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.guard.HeldRefusals;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.hashing.HashingStats;
import dev.latchkey.auth.guard.login.LoginLimits;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Gauges of the guard's permits and limits. */
final class GuardGauges implements MeterBinder {

    static final String HASHING_PERMITS = "latchkey.hashing.permits";
    static final String HASHING_ACTIVE = "latchkey.hashing.active";
    static final String HASHING_WAITING = "latchkey.hashing.waiting";
    static final String HASHING_MEMORY = "latchkey.hashing.memory";
    static final String HASHING_HASHES = "latchkey.hashing.hashes";
    static final String LIMITS_WAITING = "latchkey.limits.waiting";
    static final String LIMITS_REMEMBERED = "latchkey.limits.remembered";
    static final String REFUSALS_HELD = "latchkey.refusals.held";

    private final Map<String, HashingPermits> permits;
    private final Map<String, LoginLimits> limits;
    private final Map<String, HeldRefusals> refusals;

    /**
     * @param permits, limits and refusals by bean name
     */
    GuardGauges(
            Map<String, HashingPermits> permits, Map<String, LoginLimits> limits, Map<String, HeldRefusals> refusals) {
        this.permits = Map.copyOf(permits);
        this.limits = Map.copyOf(limits);
        this.refusals = Map.copyOf(refusals);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        permits.forEach((name, each) -> bind(registry, each, Tags.of("permits", name)));
        limits.forEach((name, limit) -> bind(registry, limit, Tags.of("limits", name)));
        refusals.forEach((name, held) -> Gauge.builder(REFUSALS_HELD, held, HeldRefusals::held)
                .tags("refusals", name)
                .register(registry));
    }

    private static void bind(MeterRegistry registry, HashingPermits permits, Tags tags) {
        gauge(registry, HASHING_PERMITS, tags, permits, from -> from.stats().atOnce());
        gauge(registry, HASHING_ACTIVE, tags, permits, from -> from.stats().running());
        gauge(registry, HASHING_WAITING, tags, permits, from -> from.stats().waiting());
        Gauge.builder(HASHING_MEMORY, permits, from -> from.stats().memoryInUse())
                .tags(tags)
                .baseUnit("bytes")
                .register(registry);
        count(registry, permits, tags.and("result", "completed"), HashingStats::completed);
        count(registry, permits, tags.and("result", "failed"), HashingStats::failed);
        count(registry, permits, tags.and("result", "refused_full"), HashingStats::refusedFull);
        count(registry, permits, tags.and("result", "refused_late"), HashingStats::refusedLate);
        count(registry, permits, tags.and("result", "abandoned"), HashingStats::abandoned);
    }

    private static void count(
            MeterRegistry registry, HashingPermits permits, Tags tags, ToDoubleFunction<HashingStats> count) {
        FunctionCounter.builder(HASHING_HASHES, permits, from -> count.applyAsDouble(from.stats()))
                .tags(tags)
                .register(registry);
    }

    private static void bind(MeterRegistry registry, LoginLimits limits, Tags tags) {
        gauge(registry, LIMITS_WAITING, tags, limits, from -> from.stats().waiting());
        gauge(registry, LIMITS_REMEMBERED, tags, limits, from -> from.stats().remembered());
    }

    private static <T> void gauge(MeterRegistry registry, String name, Tags tags, T from, ToDoubleFunction<T> value) {
        Gauge.builder(name, from, value).tags(tags).register(registry);
    }
}
