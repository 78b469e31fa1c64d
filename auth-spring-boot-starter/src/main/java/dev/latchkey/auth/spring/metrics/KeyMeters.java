package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.jwt.RotatingKeys;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** The number of signing keys, and the number of rotations. */
final class KeyMeters implements MeterBinder {

    static final String ROTATIONS = "latchkey.keys.rotations";
    static final String KEYS = "latchkey.keys";

    private final RotatingKeys keys;

    KeyMeters(RotatingKeys keys) {
        this.keys = keys;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder(ROTATIONS, keys, RotatingKeys::version).register(registry);
        Gauge.builder(KEYS, keys, from -> from.ring().size()).register(registry);
    }
}
