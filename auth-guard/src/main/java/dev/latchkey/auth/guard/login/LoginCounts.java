package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.LoginLimit;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts the results of logins, and reports them to the listeners. Safe for use by any number of threads. */
final class LoginCounts {

    private static final GuardEvent ADMITTED_AT_ONCE = new GuardEvent.LoginAdmitted(Duration.ZERO);

    private final GuardEvents events;
    private final Map<AttemptResult, GuardEvent> settledEvents = new EnumMap<>(AttemptResult.class);
    private final LongAdder admitted = new LongAdder();
    private final Map<LoginLimit, LongAdder> refused = new EnumMap<>(LoginLimit.class);
    private final Map<AttemptResult, LongAdder> settled = new EnumMap<>(AttemptResult.class);

    LoginCounts(GuardEvents events) {
        this.events = events;
        for (LoginLimit limit : LoginLimit.values()) {
            refused.put(limit, new LongAdder());
        }
        for (AttemptResult result : AttemptResult.values()) {
            settled.put(result, new LongAdder());
            settledEvents.put(result, new GuardEvent.LoginSettled(result));
        }
    }

    void admittedAtOnce() {
        admitted.increment();
        events.on(ADMITTED_AT_ONCE);
    }

    void admitted(Duration waited) {
        admitted.increment();
        events.on(new GuardEvent.LoginAdmitted(waited));
    }

    void refused(LoginLimit limit, Duration waited) {
        of(refused, limit).increment();
        events.on(new GuardEvent.LoginRefused(limit, waited));
    }

    void settled(AttemptResult result) {
        of(settled, result).increment();
        events.on(of(settledEvents, result));
    }

    /** Each map has an entry for each key. */
    private static <K, V> V of(Map<K, V> all, K key) {
        return Objects.requireNonNull(all.get(key));
    }

    LoginLimitsStats stats(int waiting, int contended, long remembered) {
        return new LoginLimitsStats(waiting, contended, remembered, admitted.sum(), sums(refused), sums(settled));
    }

    private static <K extends Enum<K>> Map<K, Long> sums(Map<K, LongAdder> adders) {
        Map<K, Long> sums = new EnumMap<>(adders.keySet().iterator().next().getDeclaringClass());
        adders.forEach((key, adder) -> sums.put(key, adder.sum()));
        return sums;
    }
}
