package dev.latchkey.auth.spring;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.HashingPoolSettings;
import dev.latchkey.auth.guard.LimitWindow;
import dev.latchkey.auth.guard.LoginLimitSettings;
import dev.latchkey.auth.guard.TrustedProxies;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The guard's settings from what is under {@code latchkey.guard}. */
final class GuardSettings {

    /** More than any number of logins reaches. */
    private static final LimitWindow NO_LIMIT = LimitWindow.of(1_000_000_000, Duration.ofSeconds(1));

    private GuardSettings() {}

    static HashingPoolSettings pool(GuardProperties guard) {
        try {
            HashingPoolSettings settings = HashingPoolSettings.defaults().withMaxWait(guard.maxWait());
            return guard.threads() == null ? settings : settings.withThreads(guard.threads());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard: " + e.getMessage(), "Correct latchkey.guard.threads or latchkey.guard.max-wait.");
        }
    }

    static LoginLimitSettings limits(GuardProperties.Limits limits) {
        LoginLimitSettings settings = LoginLimitSettings.defaults();
        if (!limits.enabled()) {
            return settings.withSource(NO_LIMIT).withAccountAndSource(NO_LIMIT).withAccount(NO_LIMIT);
        }
        return settings.withSource(windows(limits.source(), settings.source().windows()))
                .withAccountAndSource(windows(
                        limits.accountAndSource(), settings.accountAndSource().windows()))
                .withAccount(windows(limits.account(), settings.account().windows()));
    }

    private static LimitWindow[] windows(@Nullable List<LimitWindow> given, List<LimitWindow> otherwise) {
        return (given == null || given.isEmpty() ? otherwise : given).toArray(LimitWindow[]::new);
    }

    static TrustedProxies proxies(GuardProperties guard) {
        try {
            return guard.trustedProxies().isEmpty()
                    ? TrustedProxies.undecided()
                    : TrustedProxies.of(guard.forwardingHeader(), guard.trustedProxies());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard.trusted-proxies: " + e.getMessage(), "Write networks as 10.0.0.0/8 or fd00::/8.");
        }
    }

    /** Tells each of them. */
    static GuardListener all(List<GuardListener> listeners) {
        return listeners.size() == 1 ? listeners.get(0) : event -> listeners.forEach(listener -> listener.on(event));
    }
}
