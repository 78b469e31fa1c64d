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

    /** The store that keeps the login limits of several nodes does not answer; from now on each node counts alone. */
    record StoreLost() implements GuardEvent {}

    /** The store that keeps the login limits of several nodes answers again. */
    record StoreFound() implements GuardEvent {}

    /**
     * A limit was changed while running.
     *
     * @param limit its name
     * @param before what held, as text
     * @param after what holds now, as text
     */
    record LimitChanged(String limit, String before, String after) implements GuardEvent {}
}
