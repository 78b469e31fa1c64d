package dev.latchkey.throttle;

import java.time.Duration;

/** Something that a throttle did, for metrics and for an audit. No event holds a caller or an address, so each field may be a metric's tag. */
public sealed interface ThrottleEvent {

    /**
     * A request, or a chunk of one, has passed a throttle.
     *
     * @param throttle its name
     * @param waited at all of its buckets together
     */
    record Passed(String throttle, Duration waited) implements ThrottleEvent {}

    /**
     * A throttle has refused a request, or a chunk of one.
     *
     * @param throttle its name
     * @param scope whose bucket had too few tokens
     * @param waited until the refusal
     */
    record Refused(String throttle, ThrottleScope scope, Duration waited) implements ThrottleEvent {}

    /**
     * A rate was changed, set or removed while the service runs.
     *
     * @param limit the name of the throttle and the scope, as in {@code downloads-source}
     * @param before the rate until now, as text
     * @param after the rate from now on, as text
     */
    record RateChanged(String limit, String before, String after) implements ThrottleEvent {}

    /** The store of shared throttles does not answer; from now on each node applies the whole rates alone. */
    record StoreLost() implements ThrottleEvent {}

    /** The store of shared throttles answers again. */
    record StoreFound() implements ThrottleEvent {}
}
