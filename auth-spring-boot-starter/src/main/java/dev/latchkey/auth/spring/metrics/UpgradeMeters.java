package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.password.upgrade.PasswordUpgrade;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** The results of upgrades of outdated hashes. */
final class UpgradeMeters implements MeterBinder {

    static final String UPGRADES = "latchkey.password.upgrades";

    private final PasswordUpgrade upgrade;

    UpgradeMeters(PasswordUpgrade upgrade) {
        this.upgrade = upgrade;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        count(registry, "replaced", PasswordUpgrade::replaced);
        count(registry, "dropped", PasswordUpgrade::dropped);
        count(registry, "declined", PasswordUpgrade::declined);
        count(registry, "failed", PasswordUpgrade::failed);
    }

    private void count(MeterRegistry registry, String outcome, ToDoubleFunction<PasswordUpgrade> number) {
        FunctionCounter.builder(UPGRADES, upgrade, number)
                .tag("outcome", outcome)
                .register(registry);
    }
}
