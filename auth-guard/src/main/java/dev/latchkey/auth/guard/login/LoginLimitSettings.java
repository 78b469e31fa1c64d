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
 * How many logins may fail, by each kind of bucket.
 *
 * @param policies one for each kind of bucket
 * @param waiting how long a login may wait for those before it, and how many may
 * @param memory how long a place that has logged in is remembered, and how many are
 */
public record LoginLimitSettings(Map<LoginBucket, BucketPolicy> policies, Waiting waiting, Memory memory) {

    private static final Duration SHORT = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofDays(2);

    /**
     * How many times as fast the fresh lane is as the slow one. It may be: each of an attacker's sources passes it but once, and the sooner his are
     * used up, the sooner the lane is free for the owner.
     */
    private static final int FRESH_PER_SLOW = 60;

    private static final int FRESH_BURST = 3;
    private static final Duration STRANGER_PACE = Duration.ofMinutes(5);

    /**
     * @param policies one for each kind of bucket; copied
     * @param waiting bounds of waiting
     * @param memory bounds of remembering
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
     * Bounds of waiting without a thread.
     *
     * @param longest until a login that waits is refused; shorter than the server's timeout of asynchronous requests
     * @param perBucket logins that wait for one bucket, at most
     * @param inAll logins that wait, at most
     */
    public record Waiting(Duration longest, int perBucket, int inAll) {

        /**
         * @param longest positive
         * @param perBucket not negative; zero lets none wait
         * @param inAll not negative; zero lets none wait
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
     * Bounds of remembering sources.
     *
     * @param sourcesFor how long a source is remembered after its last login
     * @param most entries of each kind; the least used are forgotten first, which makes them strangers and nothing worse. One account has at most a
     *     hundredth of the places that have logged in, and may have ten in any case
     */
    public record Memory(Duration sourcesFor, int most) {

        /**
         * @param sourcesFor positive
         * @param most at least 1
         * @throws IllegalArgumentException if either is not positive
         */
        public Memory {
            Durations.requirePositive(sourcesFor, "How long sources are remembered");
            if (most < 1) {
                throw new IllegalArgumentException("At least 1 source must be remembered, got " + most);
            }
        }
    }

    /**
     * The default, with these reasons.
     *
     * <ul>
     *   <li>Account and source: 5 in 5 minutes and 150 in 48 hours; with its /48, 10 and 200: an IPv6 site has 65,536 sources.
     *   <li>Source: ten times that, since an office may sit behind it; with its /48, twice that.
     *   <li>Account: 100 in 48 hours (NIST SP 800-63B-4 section 3.2.2), then strangers at {@link #strangerPace}.
     *   <li>A pair that has logged in: 20 in 5 minutes and 200 in 48 hours.
     *   <li>All unknown sources together: 500 in 5 minutes and 15,000 in 48 hours, as ten offices; then one each second, for
     *       accounts of which nothing failed lately.
     *   <li>Wrong passwords that come again: 60 in a minute for a source, which is a twentieth of a core's time for a hash of 50 ms.
     * </ul>
     *
     * @return to be changed by the methods below
     */
    public static LoginLimitSettings defaults() {
        Map<LoginBucket, BucketPolicy> policies = new EnumMap<>(LoginBucket.class);
        policies.put(LoginBucket.KNOWN_PAIR, shortAndLong("login-known-pair", 20, 200));
        policies.put(LoginBucket.SOURCE, shortAndLong("login-source", 50, 1_500));
        policies.put(LoginBucket.WIDE_SOURCE, shortAndLong("login-wide-source", 100, 3_000));
        policies.put(LoginBucket.ACCOUNT_AND_SOURCE, shortAndLong("login-account-source", 5, 150));
        policies.put(LoginBucket.ACCOUNT_AND_WIDE_SOURCE, shortAndLong("login-account-wide-source", 10, 200));
        policies.put(LoginBucket.ACCOUNT, BucketPolicy.of("login-account", LimitWindow.of(100, LONG)));
        policies.put(LoginBucket.SLOW_LANE, BucketPolicy.of("login-slow-lane", slow(STRANGER_PACE)));
        policies.put(LoginBucket.FRESH_LANE, BucketPolicy.of("login-fresh-lane", fresh(STRANGER_PACE)));
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
     * How many logins of one source may fail, whatever the accounts.
     *
     * @return the policy of {@link LoginBucket#SOURCE}
     */
    public BucketPolicy source() {
        return policy(LoginBucket.SOURCE);
    }

    /**
     * How many logins of one source for one account may fail.
     *
     * @return the policy of {@link LoginBucket#ACCOUNT_AND_SOURCE}
     */
    public BucketPolicy accountAndSource() {
        return policy(LoginBucket.ACCOUNT_AND_SOURCE);
    }

    /**
     * How many logins for one account may fail, from all sources together that have not logged in to it.
     *
     * @return the policy of {@link LoginBucket#ACCOUNT}
     */
    public BucketPolicy account() {
        return policy(LoginBucket.ACCOUNT);
    }

    /**
     * The pace at which strangers are admitted to an account under attack: in each such period one from the sources that have failed lately, and
     * sixty from the others.
     *
     * @return the period of one token of the slow lane
     */
    public Duration strangerPace() {
        LimitWindow slow = policy(LoginBucket.SLOW_LANE).windows().get(0);
        return slow.per().dividedBy(slow.tokens());
    }

    /**
     * Another {@link #strangerPace}. A longer one leaves an attacker who has many sources fewer guesses, and an owner at a new place waits longer
     * while the attack lasts.
     *
     * @param pace the period
     * @return a changed copy
     * @throws IllegalArgumentException if it is not positive
     */
    public LoginLimitSettings withStrangerPace(Duration pace) {
        return with(LoginBucket.SLOW_LANE, List.of(slow(pace))).with(LoginBucket.FRESH_LANE, List.of(fresh(pace)));
    }

    /**
     * Other windows for {@link #source()}.
     *
     * @param windows at least one
     * @return a changed copy
     * @throws IllegalArgumentException if there is no window
     */
    public LoginLimitSettings withSource(LimitWindow... windows) {
        return with(LoginBucket.SOURCE, List.of(windows));
    }

    /**
     * Other windows for {@link #accountAndSource()}.
     *
     * @param windows at least one
     * @return a changed copy
     * @throws IllegalArgumentException if there is no window
     */
    public LoginLimitSettings withAccountAndSource(LimitWindow... windows) {
        return with(LoginBucket.ACCOUNT_AND_SOURCE, List.of(windows));
    }

    /**
     * Other windows for {@link #account()}.
     *
     * @param windows at least one
     * @return a changed copy
     * @throws IllegalArgumentException if there is no window
     */
    public LoginLimitSettings withAccount(LimitWindow... windows) {
        return with(LoginBucket.ACCOUNT, List.of(windows));
    }

    /**
     * Other windows for one kind of bucket. Its policy keeps its name.
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
     * The same windows for every kind of bucket; a number that nobody reaches switches all limits off.
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
     * Other bounds of waiting.
     *
     * @param waiting how long a login may wait, and how many may
     * @return a changed copy
     */
    public LoginLimitSettings withWaiting(Waiting waiting) {
        return new LoginLimitSettings(policies, waiting, memory);
    }

    /**
     * Other bounds of remembering.
     *
     * @param memory how long a place is remembered, and how many are
     * @return a changed copy
     */
    public LoginLimitSettings withMemory(Memory memory) {
        return new LoginLimitSettings(policies, waiting, memory);
    }

    /** How long a failure is remembered: until all buckets of those that know who failed are full again. */
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
