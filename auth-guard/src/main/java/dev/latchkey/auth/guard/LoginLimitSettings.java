package dev.latchkey.auth.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How many logins may fail.
 *
 * @param source failures of one source for whatever accounts; sources behind which many people sit need room
 * @param accountAndSource failures of one source for one account
 * @param account failures of one account from all sources that have not logged in to it; none left, its slow lane begins
 * @param slowLane attempts at an account in its slow lane, by sources that have failed somewhere lately
 * @param freshLane the same, by sources that have not: whoever comes from a new place does not stand in line with the attack
 * @param waiting how long a login may wait for those before it, and how many may
 * @param memory how long a source that has logged in is remembered, and how many are
 */
public record LoginLimitSettings(
        BucketPolicy source,
        BucketPolicy accountAndSource,
        BucketPolicy account,
        BucketPolicy slowLane,
        BucketPolicy freshLane,
        Waiting waiting,
        Memory memory) {

    private static final Duration SHORT = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofDays(2);

    /**
     * Bounds of waiting without a thread.
     *
     * @param longest until a login that waits is refused; shorter than the server's timeout of asynchronous requests
     * @param perBucket logins that wait for one bucket
     * @param inAll logins that wait
     */
    public record Waiting(Duration longest, int perBucket, int inAll) {

        /** @throws IllegalArgumentException if the time is not positive or a number is negative */
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
     * @param sourcesFor how long since a source last logged in
     * @param most entries; the least used are forgotten first, which makes them strangers and no more
     */
    public record Memory(Duration sourcesFor, int most) {

        /** @throws IllegalArgumentException if either is not positive */
        public Memory {
            Durations.requirePositive(sourcesFor, "How long sources are remembered");
            if (most < 1) {
                throw new IllegalArgumentException("At least 1 source must be remembered, got " + most);
            }
        }
    }

    /**
     * 5 in 5 minutes and 150 in 48 hours for an account and source; ten times that for a source, behind which an office may
     * sit; 100 for an account (NIST SP 800-63B-4 section 3.2.2), then one attempt in 30 seconds, and one in 5 from fresh sources.
     */
    public static LoginLimitSettings defaults() {
        return new LoginLimitSettings(
                BucketPolicy.of("login-source", LimitWindow.of(50, SHORT), LimitWindow.of(1_500, LONG)),
                BucketPolicy.of("login-account-source", LimitWindow.of(5, SHORT), LimitWindow.of(150, LONG)),
                BucketPolicy.of("login-account", LimitWindow.of(100, LONG)),
                BucketPolicy.of("login-slow-lane", LimitWindow.of(1, Duration.ofSeconds(30))),
                BucketPolicy.of("login-fresh-lane", LimitWindow.of(3, Duration.ofSeconds(15))),
                new Waiting(Duration.ofSeconds(20), 256, 10_000),
                new Memory(Duration.ofDays(30), 100_000));
    }

    public LoginLimitSettings withSource(LimitWindow... windows) {
        return with(LoginBucket.SOURCE, List.of(windows));
    }

    public LoginLimitSettings withAccountAndSource(LimitWindow... windows) {
        return with(LoginBucket.ACCOUNT_AND_SOURCE, List.of(windows));
    }

    public LoginLimitSettings withAccount(LimitWindow... windows) {
        return with(LoginBucket.ACCOUNT, List.of(windows));
    }

    public LoginLimitSettings withSlowLane(LimitWindow... windows) {
        return with(LoginBucket.SLOW_LANE, List.of(windows));
    }

    public LoginLimitSettings withFreshLane(LimitWindow... windows) {
        return with(LoginBucket.FRESH_LANE, List.of(windows));
    }

    /** What the buckets of this kind hold. */
    public BucketPolicy policy(LoginBucket bucket) {
        return switch (bucket) {
            case SOURCE -> source;
            case ACCOUNT_AND_SOURCE -> accountAndSource;
            case ACCOUNT -> account;
            case SLOW_LANE -> slowLane;
            case FRESH_LANE -> freshLane;
        };
    }

    /** These, with one window of a bucket replaced. */
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
        BucketPolicy policy = new BucketPolicy(policy(bucket).name(), windows);
        return new LoginLimitSettings(
                bucket == LoginBucket.SOURCE ? policy : source,
                bucket == LoginBucket.ACCOUNT_AND_SOURCE ? policy : accountAndSource,
                bucket == LoginBucket.ACCOUNT ? policy : account,
                bucket == LoginBucket.SLOW_LANE ? policy : slowLane,
                bucket == LoginBucket.FRESH_LANE ? policy : freshLane,
                waiting,
                memory);
    }

    public LoginLimitSettings withWaiting(Waiting waiting) {
        return new LoginLimitSettings(source, accountAndSource, account, slowLane, freshLane, waiting, memory);
    }

    public LoginLimitSettings withMemory(Memory memory) {
        return new LoginLimitSettings(source, accountAndSource, account, slowLane, freshLane, waiting, memory);
    }
}
