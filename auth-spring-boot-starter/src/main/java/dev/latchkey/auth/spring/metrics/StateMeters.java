package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.guard.PluginBulkhead;
import dev.latchkey.auth.jwt.RotatingKeys;
import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import dev.latchkey.auth.store.LocalRevocations;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Meters that read the state of a part: keys, calls of plugins, the copy of revocations, upgrades of hashes. */
final class StateMeters {

    static final String ROTATIONS = "latchkey.keys.rotations";
    static final String KEYS = "latchkey.keys";
    static final String RUNNING = "latchkey.plugin.running";
    static final String MAXIMUM = "latchkey.plugin.running.max";
    static final String REFUSED = "latchkey.plugin.refused";
    static final String COPY_SIZE = "latchkey.revocations.copy.size";
    static final String COPY_MAXIMUM = "latchkey.revocations.copy.size.max";
    static final String COPY_AGE = "latchkey.revocations.copy.age";
    static final String LOST = "latchkey.revocations.store.lost";
    static final String UPGRADES = "latchkey.password.upgrades";

    private StateMeters() {}

    static void bind(MeterRegistry registry, RotatingKeys keys) {
        FunctionCounter.builder(ROTATIONS, keys, RotatingKeys::version).register(registry);
        Gauge.builder(KEYS, keys, from -> from.ring().distinctKeys().size()).register(registry);
    }

    static void bind(MeterRegistry registry, List<PluginBulkhead> plugins) {
        for (PluginBulkhead plugin : plugins) {
            Tags tags = Tags.of("plugin", plugin.plugin());
            Gauge.builder(RUNNING, plugin, PluginBulkhead::running).tags(tags).register(registry);
            Gauge.builder(MAXIMUM, plugin, PluginBulkhead::most).tags(tags).register(registry);
            FunctionCounter.builder(REFUSED, plugin, PluginBulkhead::refused)
                    .tags(tags)
                    .register(registry);
        }
    }

    static void bind(MeterRegistry registry, LocalRevocations copy) {
        Gauge.builder(COPY_SIZE, copy, from -> from.status().size()).register(registry);
        Gauge.builder(COPY_MAXIMUM, copy, from -> from.settings().maximumSize()).register(registry);
        TimeGauge.builder(COPY_AGE, copy, TimeUnit.SECONDS, StateMeters::secondsOf)
                .register(registry);
        Gauge.builder(LOST, copy, from -> from.status().isFailing() ? 1 : 0).register(registry);
    }

    /** NaN for a copy that was never read. */
    private static double secondsOf(LocalRevocations copy) {
        return copy.status()
                .age()
                .map(age -> age.toNanos() / (double) Duration.ofSeconds(1).toNanos())
                .orElse(Double.NaN);
    }

    static void bind(MeterRegistry registry, PasswordUpgrade upgrade) {
        count(registry, upgrade, "replaced", PasswordUpgrade::replaced);
        count(registry, upgrade, "dropped", PasswordUpgrade::dropped);
        count(registry, upgrade, "declined", PasswordUpgrade::declined);
        count(registry, upgrade, "failed", PasswordUpgrade::failed);
    }

    private static void count(
            MeterRegistry registry, PasswordUpgrade upgrade, String outcome, ToDoubleFunction<PasswordUpgrade> number) {
        FunctionCounter.builder(UPGRADES, upgrade, number)
                .tag("outcome", outcome)
                .register(registry);
    }
}
