package dev.latchkey.throttle;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whether a request, or a chunk of one, may go on. Immutable. */
public sealed interface ThrottleResult {

    /**
     * The request may go on.
     *
     * @param waited for all buckets together
     * @param scope whose bucket is the emptiest now; null if no scope has a rate
     * @param remaining tokens in that bucket, for the {@code RateLimit} field
     */
    record Passed(Duration waited, @Nullable ThrottleScope scope, long remaining) implements ThrottleResult {

        static final Passed UNLIMITED = new Passed(Duration.ZERO, null, Long.MAX_VALUE);

        /** This bucket and the next together: both waits, and the emptier of them. */
        Passed and(Passed next) {
            Passed emptier = next.remaining < remaining ? next : this;
            return new Passed(waited.plus(next.waited), emptier.scope, emptier.remaining);
        }
    }

    /**
     * The request may not go on; no token was taken.
     *
     * @param scope whose bucket had too few tokens
     * @param retryAfter when there may be enough, if nobody else is in between
     */
    record Refused(ThrottleScope scope, Duration retryAfter) implements ThrottleResult {

        private static final Duration A_MOMENT = Duration.ofSeconds(1);

        /** The queue is full, or the longest wait is over: nobody knows when there will be enough. */
        static Refused byQueue(ThrottleScope scope) {
            return new Refused(scope, A_MOMENT);
        }
    }

    /**
     * Applies the function for this case; every case is covered.
     *
     * @param <T> of the value
     * @param ifPassed given what passed
     * @param ifRefused given the refusal
     * @return the value of the function that was applied
     */
    default <T> T fold(
            Function<? super Passed, ? extends T> ifPassed, Function<? super Refused, ? extends T> ifRefused) {
        if (this instanceof Passed passed) {
            return ifPassed.apply(passed);
        }
        return ifRefused.apply((Refused) this);
    }
}
