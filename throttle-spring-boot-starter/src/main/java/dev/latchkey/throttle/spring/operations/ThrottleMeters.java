package dev.latchkey.throttle.spring.operations;

import dev.latchkey.throttle.ThrottleEvent;
import dev.latchkey.throttle.ThrottleListener;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.spring.ThrottleControls;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Times passed and refused requests. Shows the waiting requests, the remembered buckets, and outages of the shared
 * store.
 */
final class ThrottleMeters implements ThrottleListener, MeterBinder {

    static final String THROTTLE = "latchkey.throttle";
    static final String WAITING = "latchkey.throttle.waiting";
    static final String BUCKETS = "latchkey.throttle.buckets";
    static final String STORE_LOST = "latchkey.throttle.store.lost";

    private final Supplier<ThrottleControls> controls;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private volatile int lost;

    /** @param controls called when a registry is bound, because the throttles need their listeners first */
    ThrottleMeters(Supplier<ThrottleControls> controls) {
        this.controls = controls;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
        ThrottleControls throttles = controls.get();
        throttles.snapshots().forEach(each -> bind(registry, throttles, each.name()));
        Gauge.builder(STORE_LOST, () -> lost).register(registry);
    }

    private static void bind(MeterRegistry registry, ThrottleControls throttles, String name) {
        Tags tags = Tags.of("throttle", name);
        Gauge.builder(WAITING, () -> throttles.snapshot(name).waiting())
                .tags(tags)
                .register(registry);
        for (ThrottleScope scope : ThrottleScope.values()) {
            Gauge.builder(BUCKETS, () -> throttles.snapshot(name).buckets().getOrDefault(scope, 0L))
                    .tags(tags.and("scope", code(scope)))
                    .register(registry);
        }
    }

    @Override
    public void on(ThrottleEvent event) {
        if (event instanceof ThrottleEvent.Passed passed) {
            time(Tags.of("throttle", passed.throttle(), "outcome", "passed", "scope", "none"), passed.waited());
        } else if (event instanceof ThrottleEvent.Refused refused) {
            String scope = code(refused.scope());
            time(Tags.of("throttle", refused.throttle(), "outcome", "refused", "scope", scope), refused.waited());
        } else if (event instanceof ThrottleEvent.StoreLost) {
            lost = 1;
        } else if (event instanceof ThrottleEvent.StoreFound) {
            lost = 0;
        }
    }

    private static String code(ThrottleScope scope) {
        return scope.name().toLowerCase(Locale.ROOT);
    }

    private void time(Tags tags, Duration elapsed) {
        for (MeterRegistry registry : registries) {
            Timer.builder(THROTTLE).tags(tags).register(registry).record(elapsed);
        }
    }
}
