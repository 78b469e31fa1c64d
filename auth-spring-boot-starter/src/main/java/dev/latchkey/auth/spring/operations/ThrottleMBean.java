package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.throttle.ThrottleSnapshot;
import dev.latchkey.auth.spring.throttle.ThrottleControls;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** One throttle of {@link ThrottleControls} for JMX: plain types, so that any console can show and change it. */
record ThrottleMBean(String name, ThrottleControls controls) implements ThrottleMXBean {

    @Override
    public Map<String, String> getRates() {
        Map<String, String> rates = new TreeMap<>();
        snapshot()
                .rates()
                .forEach((scope, rate) -> rates.put(
                        LimitNames.of(scope),
                        "%d per %s s, burst %d"
                                .formatted(rate.tokens(), rate.per().toMillis() / 1000.0, rate.burst())));
        return rates;
    }

    @Override
    public Map<String, Long> getBuckets() {
        Map<String, Long> buckets = new TreeMap<>();
        snapshot().buckets().forEach((scope, count) -> buckets.put(LimitNames.of(scope), count));
        return buckets;
    }

    @Override
    public int getWaiting() {
        return snapshot().waiting();
    }

    @Override
    public long getPassed() {
        return snapshot().passed();
    }

    @Override
    public long getRefused() {
        return snapshot().refused();
    }

    @Override
    public void changeRate(String scope, long tokens, long perMillis, long burst) {
        Changing.byJmx(() -> controls.changeRate(
                name, LimitNames.scope(scope), new BucketRate(tokens, Duration.ofMillis(perMillis), burst)));
    }

    @Override
    public void removeRate(String scope) {
        Changing.byJmx(() -> controls.removeRate(name, LimitNames.scope(scope)));
    }

    private ThrottleSnapshot snapshot() {
        return controls.snapshot(name);
    }
}
