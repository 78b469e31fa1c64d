package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.WaitingThreads;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The guard's settings from what is under {@code latchkey.guard}. */
public final class GuardSettings {

    /** More than any number of logins reaches. */
    private static final LimitWindow NO_LIMIT = LimitWindow.of(1_000_000_000, Duration.ofSeconds(1));

    private GuardSettings() {}

    public static HashingSettings hashing(GuardProperties guard) {
        try {
            HashingSettings settings = HashingSettings.defaults().withMaxWait(guard.maxWait());
            return guard.permits() == null ? settings : settings.withAtOnce(guard.permits());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard: " + e.getMessage(), "Correct latchkey.guard.permits or latchkey.guard.max-wait.");
        }
    }

    public static WaitingThreads waiting(GuardProperties guard, RequestThreads threads) {
        try {
            return WaitingThreads.atMost(guard.maxWaiting() == null ? threads.mayWait() : guard.maxWaiting());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard.max-waiting: " + e.getMessage(), "Set it to at least 1, or leave it out.");
        }
    }

    public static LoginLimitSettings limits(GuardProperties.Limits limits) {
        LoginLimitSettings settings = LoginLimitSettings.defaults();
        if (!limits.enabled()) {
            return settings.withEach(NO_LIMIT);
        }
        LoginLimitSettings given = with(settings, LoginBucket.SOURCE, limits.source());
        given = with(given, LoginBucket.ACCOUNT_AND_SOURCE, limits.accountAndSource());
        given = with(given, LoginBucket.ACCOUNT, limits.account());
        given = with(given, LoginBucket.KNOWN_PAIR, limits.knownPlace());
        given = with(given, LoginBucket.UNKNOWN_SOURCES, limits.unknownSources());
        return limits.strangerPace() == null ? given : given.withStrangerPace(limits.strangerPace());
    }

    private static LoginLimitSettings with(
            LoginLimitSettings settings, LoginBucket bucket, @Nullable List<LimitWindow> windows) {
        return windows == null || windows.isEmpty()
                ? settings
                : settings.with(bucket, windows.toArray(LimitWindow[]::new));
    }

    public static TrustedProxies proxies(GuardProperties guard) {
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
    public static GuardListener all(List<GuardListener> listeners) {
        return listeners.size() == 1 ? listeners.get(0) : event -> listeners.forEach(listener -> listener.on(event));
    }
}
