package dev.latchkey.auth.guard;

import java.time.Duration;

/** Something that the guard did. Holds no account, no address and no secret, so that each field can be a metric's tag. */
public sealed interface GuardEvent {

    /** A hash ran to its end: how long it waited for a permit, and how long it took. */
    record Hashed(Duration waited, Duration elapsed) implements GuardEvent {}

    /** A hash was not begun, because of too little time or room; {@code waited} is zero if it was refused at once. */
    record HashRefused(Duration waited) implements GuardEvent {}

    /** A login may be checked: how long it waited behind others of the same bucket. */
    record LoginAdmitted(Duration waited) implements GuardEvent {}

    /** A login may not be checked now. */
    record LoginRefused(LoginLimit limit, Duration waited) implements GuardEvent {}

    /** What became of an admitted login. */
    record LoginSettled(AttemptResult result) implements GuardEvent {}

    /** A request or a chunk of one passed the throttle of this name. */
    record ThrottlePassed(String throttle, Duration waited) implements GuardEvent {}

    /** The throttle of this name refused. */
    record ThrottleRefused(String throttle, ThrottleScope scope, Duration waited) implements GuardEvent {}

    /** What nodes share in a store. */
    enum Shared {
        /** The buckets of failed logins. */
        LOGIN_LIMITS("login limits", "limits are local"),
        /** The rates of throttles. */
        THROTTLES("throttles", "each node gives their whole rates by itself");

        private final String text;
        private final String meanwhile;

        Shared(String text, String meanwhile) {
            this.text = text;
            this.meanwhile = meanwhile;
        }

        /** The name for operators. */
        public String text() {
            return text;
        }

        /** What holds while the store does not answer. */
        public String meanwhile() {
            return meanwhile;
        }
    }

    /** The shared store does not answer; from now on each node counts alone. */
    record StoreLost(Shared what) implements GuardEvent {}

    /** The store that nodes share answers again. */
    record StoreFound(Shared what) implements GuardEvent {}

    /**
     * A limit or a throttle was changed while running.
     *
     * @param limit its name
     * @param before what held, as text
     * @param after what holds now
     */
    record LimitChanged(String limit, String before, String after) implements GuardEvent {}
}
