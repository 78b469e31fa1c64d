package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.store.LocalRevocations;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The node's revocation copy: its size, its age, and whether the node can check tokens. */
final class RevocationMeters implements MeterBinder {

    static final String SIZE = "latchkey.revocations.copy.size";
    static final String MAXIMUM = "latchkey.revocations.copy.size.max";
    static final String AGE = "latchkey.revocations.copy.age";
    static final String LOST = "latchkey.revocations.store.lost";

    private final LocalRevocations copy;

    RevocationMeters(LocalRevocations copy) {
        this.copy = copy;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(SIZE, copy, from -> from.status().size()).register(registry);
        Gauge.builder(MAXIMUM, copy, from -> from.settings().maximumSize()).register(registry);
        TimeGauge.builder(AGE, copy, TimeUnit.SECONDS, RevocationMeters::seconds)
                .register(registry);
        Gauge.builder(LOST, copy, from -> from.status().isFailing() ? 1 : 0).register(registry);
    }

    /** Not a number for a copy that was never complete: no age is right. */
    private static double seconds(LocalRevocations copy) {
        return copy.status()
                .age()
                .map(age -> age.toNanos() / (double) Duration.ofSeconds(1).toNanos())
                .orElse(Double.NaN);
    }
}
