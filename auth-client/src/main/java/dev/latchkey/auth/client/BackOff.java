package dev.latchkey.auth.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * For how long no login is tried after failures: as the endpoint asked, else twice as long after each, and by chance up to half of that less, so
 * that callers which failed together do not come again together. A clock that is set back to before the failure ends it: how much of it is over, nobody knows then.
 *
 * @param failures in a row
 * @param since the last of them
 * @param until no login is tried before
 * @param last what the callers are told meanwhile; null where nothing failed
 */
record BackOff(
        int failures,
        Instant since,
        Instant until,
        @Nullable LoginFailedException last) {

    static final BackOff NONE = new BackOff(0, Instant.MIN, Instant.MIN, null);

    private static final Duration FIRST = Duration.ofSeconds(1);

    /** More doublings are more than a day. */
    private static final int MOST_DOUBLINGS = 17;

    /** After one more failure. */
    BackOff after(LoginFailedException failure, Instant now, Duration longest, RandomGenerator random) {
        Duration own = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        Duration bounded = own.compareTo(longest) > 0 ? longest : own;
        long nanos = bounded.toNanos();
        Duration jittered = Duration.ofNanos(nanos - (long) (random.nextDouble() * nanos / 2));
        Duration told = failure.retryAfter().orElse(jittered);
        // A server that says at once is asked at once, the first time.
        Duration wait = failures > 0 && told.compareTo(jittered) < 0 ? jittered : told;
        Duration usable = wait.compareTo(longest) > 0 ? longest : wait;
        return new BackOff(failures + 1, now, now.plus(usable), failure.withRetryAfter(usable));
    }

    /** What is left of it; zero where it is over. */
    Duration leftAt(Instant now) {
        return last == null || now.isBefore(since) || !now.isBefore(until)
                ? Duration.ZERO
                : Duration.between(now, until);
    }

    /** Whether who needs a token now is told of the failure: he has not so much patience, or waiting is of no use, since somebody has to change something. */
    boolean outlasts(Duration patience, Instant now) {
        Duration left = leftAt(now);
        return !left.isZero()
                && (failure().kind() != LoginFailedException.Kind.UNAVAILABLE || left.compareTo(patience) > 0);
    }

    /** What callers are told, with what is left. */
    LoginFailedException failureAt(Instant now) {
        return failure().withRetryAfter(leftAt(now));
    }

    LoginFailedException failure() {
        return Objects.requireNonNull(last, "nothing failed");
    }
}
