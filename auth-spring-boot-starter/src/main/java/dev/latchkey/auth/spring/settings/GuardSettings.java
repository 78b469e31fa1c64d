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

/**
 * Makes the guard's settings of what is configured under {@code latchkey.guard}. A value that the guard refuses becomes a message that names the
 * property.
 */
public final class GuardSettings {

    /** More than any number of logins reaches. */
    private static final LimitWindow NO_LIMIT = LimitWindow.of(1_000_000_000, Duration.ofSeconds(1));

    private GuardSettings() {}

    /**
     * How many hashes are computed at a time, and how long a request waits for its own.
     *
     * @param guard what is configured
     * @return with the guard's own values where nothing is set
     * @throws LatchkeyConfigurationException if there is less than one permit, or no time to wait
     */
    public static HashingSettings hashing(GuardProperties guard) {
        try {
            HashingSettings settings = HashingSettings.defaults().withMaxWait(guard.maxWait());
            return guard.permits() == null ? settings : settings.withAtOnce(guard.permits());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard: " + e.getMessage(), "Correct latchkey.guard.permits or latchkey.guard.max-wait.");
        }
    }

    /**
     * How many threads may wait for logins.
     *
     * @param guard what is configured
     * @param threads those that answer requests: a quarter of them may wait where nothing is set
     * @return for all logins of the service
     * @throws LatchkeyConfigurationException if no thread may wait
     */
    public static WaitingThreads waiting(GuardProperties guard, RequestThreads threads) {
        try {
            return WaitingThreads.atMost(guard.maxWaiting() == null ? threads.mayWait() : guard.maxWaiting());
        } catch (IllegalArgumentException e) {
            throw new LatchkeyConfigurationException(
                    "latchkey.guard.max-waiting: " + e.getMessage(), "Set it to at least 1, or leave it out.");
        }
    }

    /**
     * How many logins may fail.
     *
     * @param limits what is configured
     * @return with the guard's own values where nothing is set; without any limit where they are switched off
     */
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

    /**
     * Whose forwarding header is believed.
     *
     * @param guard what is configured
     * @return undecided where no proxy is named
     * @throws LatchkeyConfigurationException if what is named is no network
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
     * Makes one listener of several.
     *
     * @param listeners told in this order; one that throws keeps the others from being told
     * @return tells each of them
     */
    public static GuardListener all(List<GuardListener> listeners) {
        return listeners.size() == 1 ? listeners.get(0) : event -> listeners.forEach(listener -> listener.on(event));
    }
}
