package dev.latchkey.throttle;

import java.time.Duration;

/**
 * An action of a throttle, for metrics and for an audit. No event holds a caller or an address, so each field may be a
 * metric's tag.
 */
public sealed interface ThrottleEvent {

    /**
     * A request, or a chunk of a body, has passed a throttle.
     *
     * @param throttle its name
     * @param waited at all buckets of the throttle together
     */
    record Passed(String throttle, Duration waited) implements ThrottleEvent {}

    /**
     * A throttle has rejected a request, or a chunk of a body.
     *
     * @param throttle its name
     * @param scope the scope of the bucket without enough tokens
     * @param waited until the rejection
     */
    record Refused(String throttle, ThrottleScope scope, Duration waited) implements ThrottleEvent {}

    /**
     * A rate was changed, set or removed at run time.
     *
     * @param limit the name of the throttle and the scope, as in {@code downloads-source}
     * @param before the old rate, as text; {@code none} without a rate
     * @param after the new rate, as text; {@code none} without a rate
     */
    record RateChanged(String limit, String before, String after) implements ThrottleEvent {}

    /** The store of shared throttles does not answer; from now on each node applies the whole rates alone. */
    record StoreLost() implements ThrottleEvent {}

    /** The store of shared throttles answers again. */
    record StoreFound() implements ThrottleEvent {}
}
