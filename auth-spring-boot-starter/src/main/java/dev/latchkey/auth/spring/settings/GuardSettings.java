package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.hashing.HashingSettings;
import dev.latchkey.auth.guard.login.LoginBucket;
import dev.latchkey.auth.guard.login.LoginLimitSettings;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts the properties under {@code latchkey.guard} into settings of the guard. The message for an invalid value names the
 * property.
 */
public final class GuardSettings {

    /** More than any number of logins. */
    private static final LimitWindow NO_LIMIT = LimitWindow.of(1_000_000_000, Duration.ofSeconds(1));

    private GuardSettings() {}

    /**
     * How many hashes are computed at a time, and how long a request waits for a hash.
     *
     * @param guard the properties
     * @return the guard's defaults for unset properties
     */
    public static HashingSettings hashing(GuardProperties guard) {
        HashingSettings settings = HashingSettings.defaults().withMaxWait(guard.maxWait());
        return guard.permits() == null ? settings : settings.withAtOnce(guard.permits());
    }

    /**
     * How many logins may fail.
     *
     * @param limits the properties
     * @return the guard's defaults for unset properties; no limits if the limits are switched off
     */
    public static LoginLimitSettings limits(GuardProperties.Limits limits) {
        LoginLimitSettings settings = LoginLimitSettings.defaults();
        if (!limits.enabled()) {
            return settings.withEach(NO_LIMIT);
        }
        LoginLimitSettings given = with(settings, LoginBucket.SOURCE, limits.source());
        given = with(given, LoginBucket.ACCOUNT_AND_SOURCE, limits.accountAndSource());
        given = with(given, LoginBucket.ACCOUNT, limits.account());
        return with(given, LoginBucket.KNOWN_CLIENT, limits.knownClient());
    }

    private static LoginLimitSettings with(
            LoginLimitSettings settings, LoginBucket bucket, @Nullable List<LimitWindow> windows) {
        return windows == null || windows.isEmpty()
                ? settings
                : settings.with(bucket, windows.toArray(LimitWindow[]::new));
    }

    /**
     * The proxies with a trusted forwarding header.
     *
     * @param guard the properties
     * @return undecided if no proxy is named
     * @throws LatchkeyConfigurationException if a value is not a network
     */
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

    /**
     * Combines listeners.
     *
     * @param listeners called in this order; an exception of a listener is logged
     * @return a listener that calls all of them
     */
    public static GuardListener all(List<GuardListener> listeners) {
        List<GuardEvents> all = listeners.stream().map(GuardEvents::new).toList();
        return event -> all.forEach(each -> each.on(event));
    }
}
