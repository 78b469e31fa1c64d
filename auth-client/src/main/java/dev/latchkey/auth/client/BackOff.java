package dev.latchkey.auth.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The pause between logins after failures. The endpoint's own value decides. Otherwise the pause doubles after each
 * failure. A random reduction of up to half prevents simultaneous retries of several callers. A clock set back before
 * the failure ends the pause, because the elapsed time is unknown.
 *
 * @param failures in a row
 * @param since the time of the last failure
 * @param until the end of the pause
 * @param last the failure for callers during the pause; null if there was no failure
 */
record BackOff(
        int failures,
        Instant since,
        Instant until,
        @Nullable LoginFailedException last) {

    static final BackOff NONE = new BackOff(0, Instant.MIN, Instant.MIN, null);

    private static final Duration FIRST = Duration.ofSeconds(1);

    /** More doublings would exceed a day. */
    private static final int MOST_DOUBLINGS = 17;

    /** The pause after one more failure. */
    BackOff after(LoginFailedException failure, Instant now, Duration longest, RandomGenerator random) {
        Duration own = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        Duration bounded = own.compareTo(longest) > 0 ? longest : own;
        long nanos = bounded.toNanos();
        Duration jittered = Duration.ofNanos(nanos - (long) (random.nextDouble() * nanos / 2));
        Duration requested = failure.retryAfter().orElse(jittered);
        // After the first failure, a server that allows an immediate retry gets one.
        Duration wait = failures > 0 && requested.compareTo(jittered) < 0 ? jittered : requested;
        Duration usable = wait.compareTo(longest) > 0 ? longest : wait;
        return new BackOff(failures + 1, now, now.plus(usable), failure.withRetryAfter(usable));
    }

    /** The rest of the pause; zero after its end. */
    Duration leftAt(Instant now) {
        return last == null || now.isBefore(since) || !now.isBefore(until)
                ? Duration.ZERO
                : Duration.between(now, until);
    }

    /**
     * Whether a caller gets the failure now: if the pause is longer than the caller's patience, or if waiting cannot
     * help because a person must change something.
     */
    boolean outlasts(Duration patience, Instant now) {
        Duration left = leftAt(now);
        return !left.isZero()
                && (failure().kind() != LoginFailedException.Kind.UNAVAILABLE || left.compareTo(patience) > 0);
    }

    /** The failure for callers, with the rest of the pause. */
    LoginFailedException failureAt(Instant now) {
        return failure().withRetryAfter(leftAt(now));
    }

    LoginFailedException failure() {
        return Objects.requireNonNull(last, "nothing failed");
    }
}
