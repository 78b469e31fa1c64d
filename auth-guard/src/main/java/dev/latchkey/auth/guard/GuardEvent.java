package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * Something that the guard did, for metrics. No event holds an account, an address or a secret, so each field may be a metric's tag. All durations
 * are measured by {@link GuardTime}.
 */
public sealed interface GuardEvent {

    /**
     * A hash has ended, with an answer or an exception.
     *
     * @param waited from asking for the permit until the hash began
     * @param elapsed from the hash's beginning to its end
     */
    record Hashed(Duration waited, Duration elapsed) implements GuardEvent {}

    /**
     * A hash was not begun, for want of time or of room to wait.
     *
     * @param waited until the refusal; zero if it was refused at once
     */
    record HashRefused(Duration waited) implements GuardEvent {}

    /**
     * A login may be checked.
     *
     * @param waited behind others of the same buckets; zero for a known pair
     */
    record LoginAdmitted(Duration waited) implements GuardEvent {}

    /**
     * A login may not be checked now.
     *
     * @param limit that refused it
     * @param waited until the refusal
     */
    record LoginRefused(LoginLimit limit, Duration waited) implements GuardEvent {}

    /**
     * It is known what became of an admitted login. A login with a second step is settled twice: as {@link AttemptResult#CHALLENGED}, and again by
     * the result of the step.
     *
     * @param result of the login or of the step
     */
    record LoginSettled(AttemptResult result) implements GuardEvent {}

    /**
     * A request, or a chunk of one, has passed a throttle.
     *
     * @param throttle its name
     * @param waited at all of its buckets together
     */
    record ThrottlePassed(String throttle, Duration waited) implements GuardEvent {}

    /**
     * A throttle has refused a request, or a chunk of one.
     *
     * @param throttle its name
     * @param scope whose bucket had too few tokens
     * @param waited until the refusal
     */
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

        /**
         * What the store keeps, as messages to operators name it.
         *
         * @return a few lower-case words
         */
        public String text() {
            return text;
        }

        /**
         * What holds while the store does not answer, as the log says it.
         *
         * @return a clause, such as {@code limits are local}
         */
        public String meanwhile() {
            return meanwhile;
        }
    }

    /**
     * A store that nodes share does not answer; from now on each node counts alone.
     *
     * @param what the store keeps
     */
    record StoreLost(Shared what) implements GuardEvent {}

    /**
     * A store that nodes share answers again.
     *
     * @param what the store keeps
     */
    record StoreFound(Shared what) implements GuardEvent {}

    /**
     * A limit or a throttle was changed while running.
     *
     * @param limit its name; for a throttle, its name and the scope
     * @param before what held, as text
     * @param after what holds now, as text
     */
    record LimitChanged(String limit, String before, String after) implements GuardEvent {}
}
