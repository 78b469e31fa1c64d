package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.cache.CredentialCacheStats;
import dev.latchkey.auth.guard.LoginLimit;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.hashing.HashingStats;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.login.LoginLimits;
import dev.latchkey.auth.guard.login.LoginLimitsStats;
import dev.latchkey.auth.jwt.KeyRing;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the actuator's endpoint. The values are numbers, times and names, and never a key, an account or a client IP.
 *
 * @param plugins the names of the plugins, in order
 * @param keys the signing keys, the current key first
 * @param caches by bean name, as the other maps
 */
record LatchkeyReport(
        List<String> plugins,
        List<Key> keys,
        Map<String, CredentialCacheStats> caches,
        Map<String, HashingStats> hashing,
        Map<String, Limits> limits) {

    /**
     * A key that verifies tokens.
     *
     * @param until the end of the key; null without an end, as for the current key
     */
    record Key(
            @Nullable String kid,
            String algorithm,
            boolean signs,
            @Nullable String until) {

        static Key of(KeyRing.Entry entry, KeyRing ring) {
            boolean ends = entry.until().isBefore(Instant.MAX);
            return new Key(
                    entry.key().id().orElse(null),
                    entry.key().algorithm().name(),
                    entry.key() == ring.signingKey(),
                    ends ? entry.until().toString() : null);
        }
    }

    /** Limits of failed logins, with the current windows of each bucket. */
    record Limits(
            int waiting, long remembered, long admitted, Map<String, Long> refused, Map<String, List<Window>> windows) {

        static Limits of(LoginLimits limits) {
            LoginLimitsStats stats = limits.stats();
            LoginLimitSettings settings = limits.settings();
            Map<String, List<Window>> windows = new TreeMap<>();
            for (LoginBucket bucket : LoginBucket.values()) {
                windows.put(
                        LimitNames.of(bucket),
                        settings.policy(bucket).windows().stream()
                                .map(Window::of)
                                .toList());
            }
            return new Limits(stats.waiting(), stats.remembered(), stats.admitted(), byCode(stats.refused()), windows);
        }
    }

    /** A number of failures for each period (ISO-8601). */
    record Window(long tokens, String per) {

        static Window of(LimitWindow window) {
            return new Window(window.tokens(), window.per().toString());
        }
    }

    /** Sorted, with lower-case names, as in the tags of meters. */
    private static Map<String, Long> byCode(Map<LoginLimit, Long> counts) {
        Map<String, Long> sorted = new TreeMap<>();
        counts.forEach((limit, count) -> sorted.put(LimitNames.of(limit), count));
        return sorted;
    }
}
