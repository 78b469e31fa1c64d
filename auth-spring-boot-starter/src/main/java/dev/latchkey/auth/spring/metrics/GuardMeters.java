package dev.latchkey.auth.spring.metrics;

import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** Times waits and hashes, and counts admitted and refused logins. */
final class GuardMeters implements GuardListener, MeterBinder {

    static final String HASHES = "latchkey.hashing.hash";
    static final String HASH_WAITS = "latchkey.hashing.wait";
    static final String LOGINS = "latchkey.limits.logins";
    static final String SETTLED = "latchkey.limits.settled";
    static final String STORE_LOST = "latchkey.limits.store.lost";

    private static final Tags ACCEPTED = Tags.of("outcome", "accepted");
    private static final Tags REFUSED = Tags.of("outcome", "refused");

    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private volatile boolean isStoreLost;

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
        Gauge.builder(STORE_LOST, this, meters -> meters.isStoreLost ? 1 : 0).register(registry);
    }

    @Override
    public void on(GuardEvent event) {
        if (event instanceof GuardEvent.Hashed hashed) {
            time(HASH_WAITS, ACCEPTED, hashed.waited());
            time(HASHES, Tags.empty(), hashed.elapsed());
        } else if (event instanceof GuardEvent.HashRefused refused) {
            time(HASH_WAITS, REFUSED, refused.waited());
        } else if (event instanceof GuardEvent.LoginAdmitted admitted) {
            time(LOGINS, Tags.of("outcome", "admitted", "limit", AuthTags.NONE), admitted.waited());
        } else if (event instanceof GuardEvent.LoginRefused refused) {
            time(LOGINS, Tags.of("outcome", "refused", "limit", code(refused.limit())), refused.waited());
        } else if (event instanceof GuardEvent.LoginSettled settled) {
            count(SETTLED, Tags.of("result", code(settled.result())));
        } else if (event instanceof GuardEvent.StoreLost) {
            isStoreLost = true;
        } else if (event instanceof GuardEvent.StoreFound) {
            isStoreLost = false;
        }
    }

    private static String code(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private void time(String name, Tags tags, Duration elapsed) {
        for (MeterRegistry registry : registries) {
            Timer.builder(name).tags(tags).register(registry).record(elapsed);
        }
    }

    private void count(String name, Tags tags) {
        for (MeterRegistry registry : registries) {
            registry.counter(name, tags).increment();
        }
    }
}
