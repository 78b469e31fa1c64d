package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The allowed number of failed logins, by each kind of bucket.
 *
 * @param policies one for each kind of bucket
 * @param waiting the longest wait of a login, and the number of waiting logins
 * @param memory the time and the number of remembered clients
 */
public record LoginLimitSettings(Map<LoginBucket, BucketPolicy> policies, Waiting waiting, Memory memory) {

    private static final Duration SHORT = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofDays(2);

    /**
     * The speed of the fresh bucket relative to the slow bucket. A high speed is safe: each source of an attacker
     * passes the bucket only once. When all these sources have failed, the bucket is free for the owner.
     */
    private static final int FRESH_PER_SLOW = 60;

    private static final int FRESH_BURST = 3;
    private static final Duration UNKNOWN_CLIENT_PACE = Duration.ofMinutes(5);

    /**
     * @param policies one for each kind of bucket; copied
     * @param waiting limits of waiting
     * @param memory limits of remembering
     * @throws IllegalArgumentException if a bucket has no policy
     */
    public LoginLimitSettings {
        policies = Map.copyOf(policies);
        for (LoginBucket bucket : LoginBucket.values()) {
            if (!policies.containsKey(bucket)) {
                throw new IllegalArgumentException("The login limit " + bucket + " has no policy");
            }
        }
    }

    /**
     * Limits of waiting logins. This wait occupies no thread.
     *
     * @param longest the time after which a waiting login is rejected; shorter than the server's timeout of
     *     asynchronous requests
     * @param perBucket the largest number of waiting logins for one bucket
     * @param inAll the largest number of waiting logins
     */
    public record Waiting(Duration longest, int perBucket, int inAll) {

        /**
         * @param longest positive
         * @param perBucket not negative; zero allows no waiting
         * @param inAll not negative; zero allows no waiting
         * @throws IllegalArgumentException if the time is not positive or a number is negative
         */
        public Waiting {
            Durations.requirePositive(longest, "The longest wait");
            if (perBucket < 0 || inAll < 0) {
                throw new IllegalArgumentException(
                        "The numbers of waiting logins must not be negative, got " + perBucket + " and " + inAll);
            }
        }
    }

    /**
     * Limits of remembering clients and failures.
     *
     * @param sourcesFor the time a client stays known after its last login with the right password
     * @param most entries of each kind; the least used entries are forgotten first, and their clients are then no
     *     longer known. One account has at most a hundredth of the known clients, but always space for ten
     */
    public record Memory(Duration sourcesFor, int most) {

        /**
         * @param sourcesFor positive
         * @param most at least 1
         * @throws IllegalArgumentException if a value is not positive
         */
        public Memory {
            Durations.requirePositive(sourcesFor, "How long sources are remembered");
            if (most < 1) {
                throw new IllegalArgumentException("At least 1 source must be remembered, got " + most);
            }
        }
    }

    /**
     * The default settings, with reasons.
     *
     * <ul>
     *   <li>Account and source: 5 in 5 minutes and 150 in 48 hours; with its /48, 10 and 200, because an IPv6 site has
     *       65,536 sources.
     *   <li>Source: ten times as many, because an office may share one source; with its /48, twice as many.
     *   <li>Account: 100 in 48 hours (NIST SP 800-63B-4 section 3.2.2), then clients that are not known at
     *       {@link #unknownClientPace}.
     *   <li>A known client: 20 in 5 minutes and 200 in 48 hours.
     *   <li>All unknown sources together: 500 in 5 minutes and 15,000 in 48 hours, like ten offices; then one each
     *       second, for accounts without recent failures.
     *   <li>Repeated wrong passwords: 60 in a minute for a source, a twentieth of a core's time for a hash of 50 ms.
     * </ul>
     *
     * @return change the settings with the methods below
     */
    public static LoginLimitSettings defaults() {
        Map<LoginBucket, BucketPolicy> policies = new EnumMap<>(LoginBucket.class);
        policies.put(LoginBucket.KNOWN_CLIENT, shortAndLong("login-known-client", 20, 200));
        policies.put(LoginBucket.SOURCE, shortAndLong("login-source", 50, 1_500));
        policies.put(LoginBucket.WIDE_SOURCE, shortAndLong("login-wide-source", 100, 3_000));
        policies.put(LoginBucket.ACCOUNT_AND_SOURCE, shortAndLong("login-account-source", 5, 150));
        policies.put(LoginBucket.ACCOUNT_AND_WIDE_SOURCE, shortAndLong("login-account-wide-source", 10, 200));
        policies.put(LoginBucket.ACCOUNT, BucketPolicy.of("login-account", LimitWindow.of(100, LONG)));
        policies.put(LoginBucket.SLOW_ATTEMPTS, BucketPolicy.of("login-slow-attempts", slow(UNKNOWN_CLIENT_PACE)));
        policies.put(LoginBucket.FRESH_ATTEMPTS, BucketPolicy.of("login-fresh-attempts", fresh(UNKNOWN_CLIENT_PACE)));
        policies.put(LoginBucket.UNKNOWN_SOURCES, shortAndLong("login-unknown-sources", 500, 15_000));
        policies.put(
                LoginBucket.QUIET_ACCOUNTS,
                BucketPolicy.of("login-quiet-accounts", LimitWindow.of(60, Duration.ofMinutes(1))));
        policies.put(LoginBucket.REPEATS, BucketPolicy.of("login-repeats", LimitWindow.of(60, Duration.ofMinutes(1))));
        return new LoginLimitSettings(
                policies, new Waiting(Duration.ofSeconds(20), 256, 10_000), new Memory(Duration.ofDays(30), 100_000));
    }

    private static BucketPolicy shortAndLong(String name, long inShort, long inLong) {
        return BucketPolicy.of(name, LimitWindow.of(inShort, SHORT), LimitWindow.of(inLong, LONG));
    }

    private static LimitWindow slow(Duration pace) {
        return LimitWindow.of(1, pace);
    }

    private static LimitWindow fresh(Duration pace) {
        return LimitWindow.of(FRESH_BURST, pace.multipliedBy(FRESH_BURST).dividedBy(FRESH_PER_SLOW));
    }

    /**
     * The windows of the buckets of this kind.
     *
     * @param bucket a kind
     * @return its policy
     */
    public BucketPolicy policy(LoginBucket bucket) {
        BucketPolicy policy = policies.get(bucket);
        if (policy == null) {
            throw new IllegalStateException("The constructor lets no bucket pass without a policy");
        }
        return policy;
    }

    /**
     * The pace for clients that are not known, at an account under attack. Each period admits one login of sources that
     * are unknown or have recent failures. By default, each period also admits sixty logins of sources without recent
     * failures.
     *
     * @return the period of one token of the slow bucket
     */
    public Duration unknownClientPace() {
        LimitWindow slow = policy(LoginBucket.SLOW_ATTEMPTS).windows().get(0);
        return slow.per().dividedBy(slow.tokens());
    }

    /**
     * Returns a copy with another {@link #unknownClientPace}. With a longer period, an attacker with many sources has
     * fewer guesses. But during the attack, the account's owner waits longer with a new client.
     *
     * @param pace the period
     * @return a changed copy
     * @throws IllegalArgumentException if the period is not positive
     */
    public LoginLimitSettings withUnknownClientPace(Duration pace) {
        return with(LoginBucket.SLOW_ATTEMPTS, List.of(slow(pace)))
                .with(LoginBucket.FRESH_ATTEMPTS, List.of(fresh(pace)));
    }

    /**
     * Returns a copy with other windows for one kind of bucket. The policy keeps its name.
     *
     * @param bucket a kind
     * @param windows at least one
     * @return a changed copy
     * @throws IllegalArgumentException if there is no window
     */
    public LoginLimitSettings with(LoginBucket bucket, LimitWindow... windows) {
        return with(bucket, List.of(windows));
    }

    /**
     * Returns a copy with the same windows for every kind of bucket. Very many tokens disable all limits in practice.
     *
     * @param windows at least one
     * @return a changed copy
     * @throws IllegalArgumentException if there is no window
     */
    public LoginLimitSettings withEach(LimitWindow... windows) {
        LoginLimitSettings settings = this;
        for (LoginBucket bucket : LoginBucket.values()) {
            settings = settings.with(bucket, windows);
        }
        return settings;
    }

    /**
     * Returns a copy with other limits of waiting.
     *
     * @param waiting the longest wait of a login, and the number of waiting logins
     * @return a changed copy
     */
    public LoginLimitSettings withWaiting(Waiting waiting) {
        return new LoginLimitSettings(policies, waiting, memory);
    }

    /**
     * Returns a copy with other limits of remembering.
     *
     * @param memory the time and the number of remembered clients
     * @return a changed copy
     */
    public LoginLimitSettings withMemory(Memory memory) {
        return new LoginLimitSettings(policies, waiting, memory);
    }

    /** The time a failure is remembered: the longest time until any empty bucket is full again. */
    Duration failuresCountFor() {
        return policies.values().stream()
                .map(BucketPolicy::fullAgainAfter)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** A copy with one window of a bucket replaced. */
    LoginLimitSettings with(LoginBucket bucket, int window, LimitWindow replacement) {
        List<LimitWindow> windows = new ArrayList<>(policy(bucket).windows());
        if (window < 0 || window >= windows.size()) {
            throw new IllegalArgumentException("The limit '" + policy(bucket).name() + "' has the windows 0 to "
                    + (windows.size() - 1) + ", got " + window);
        }
        windows.set(window, replacement);
        return with(bucket, windows);
    }

    private LoginLimitSettings with(LoginBucket bucket, List<LimitWindow> windows) {
        Map<LoginBucket, BucketPolicy> changed = new EnumMap<>(policies);
        changed.put(bucket, new BucketPolicy(policy(bucket).name(), windows));
        return new LoginLimitSettings(changed, waiting, memory);
    }
}
