package dev.latchkey.throttle;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Whether a request, or a chunk of one, may continue. Immutable. */
public sealed interface ThrottleResult {

    /**
     * The request may continue.
     *
     * @param waited for all buckets together
     * @param scope the scope of the emptiest bucket; null if no scope has a rate
     * @param remaining tokens in this bucket, for the {@code RateLimit} field
     */
    record Passed(Duration waited, @Nullable ThrottleScope scope, long remaining) implements ThrottleResult {

        static final Passed UNLIMITED = new Passed(Duration.ZERO, null, Long.MAX_VALUE);

        /** Combines two buckets: the sum of the waits, and the emptier bucket. */
        Passed and(Passed next) {
            Passed emptier = next.remaining < remaining ? next : this;
            return new Passed(waited.plus(next.waited), emptier.scope, emptier.remaining);
        }
    }

    /**
     * The request may not continue; no token was taken.
     *
     * @param scope the scope of the bucket without enough tokens
     * @param retryAfter the time until enough tokens, if no other request comes first
     */
    record Refused(ThrottleScope scope, Duration retryAfter) implements ThrottleResult {

        private static final Duration A_MOMENT = Duration.ofSeconds(1);

        /** The queue is full, or the longest wait is over: the time until enough tokens is unknown. */
        static Refused byQueue(ThrottleScope scope) {
            return new Refused(scope, A_MOMENT);
        }
    }

    /**
     * Applies the function for this case; every case is covered.
     *
     * @param <T> the type of the value
     * @param ifPassed receives the passed result
     * @param ifRefused receives the rejection
     * @return the value of the applied function
     */
    default <T> T fold(
            Function<? super Passed, ? extends T> ifPassed, Function<? super Refused, ? extends T> ifRefused) {
        if (this instanceof Passed passed) {
            return ifPassed.apply(passed);
        }
        return ifRefused.apply((Refused) this);
    }
}
