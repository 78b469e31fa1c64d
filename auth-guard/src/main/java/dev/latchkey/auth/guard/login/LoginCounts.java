package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.LoginLimit;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what became of logins. */
final class LoginCounts {

    private final LongAdder admitted = new LongAdder();
    private final Map<LoginLimit, LongAdder> refused = new EnumMap<>(LoginLimit.class);
    private final Map<AttemptResult, LongAdder> settled = new EnumMap<>(AttemptResult.class);

    LoginCounts() {
        for (LoginLimit limit : LoginLimit.values()) {
            refused.put(limit, new LongAdder());
        }
        for (AttemptResult result : AttemptResult.values()) {
            settled.put(result, new LongAdder());
        }
    }

    void admitted() {
        admitted.increment();
    }

    void refused(LoginLimit limit) {
        refused.getOrDefault(limit, admitted).increment();
    }

    void settled(AttemptResult result) {
        settled.getOrDefault(result, admitted).increment();
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
