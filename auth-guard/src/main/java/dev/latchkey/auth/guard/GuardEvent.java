package dev.latchkey.auth.guard;

import java.time.Duration;

/**
 * An action of the guard, for metrics. No event holds an account, an address or a secret, so each field may be a
 * metric's tag. {@link GuardTime} measures all durations.
 */
public sealed interface GuardEvent {

    /**
     * A hash has ended, with an answer or an exception.
     *
     * @param waited from the request for the permit to the start of the hash
     * @param elapsed from the start of the hash to its end
     */
    record Hashed(Duration waited, Duration elapsed) implements GuardEvent {}

    /**
     * A hash was not started, because the time or the waiting slots were not sufficient.
     *
     * @param waited until the refusal; zero for an immediate refusal
     */
    record HashRefused(Duration waited) implements GuardEvent {}

    /**
     * A login may be checked.
     *
     * @param waited behind other logins of the same buckets; zero for a known client
     */
    record LoginAdmitted(Duration waited) implements GuardEvent {}

    /**
     * A login may not be checked now.
     *
     * @param limit the limit that rejected the login
     * @param waited until the rejection
     */
    record LoginRefused(LoginLimit limit, Duration waited) implements GuardEvent {}

    /**
     * The result of an admitted login is known. A login with a second step is settled twice: as
     * {@link AttemptResult#CHALLENGED}, and again by the result of the step.
     *
     * @param result of the login or of the step
     */
    record LoginSettled(AttemptResult result) implements GuardEvent {}

    /** The shared store of login limits does not answer. From now on each node counts alone. */
    record StoreLost() implements GuardEvent {}

    /** The shared store of login limits answers again. */
    record StoreFound() implements GuardEvent {}

    /**
     * A limit was changed at run time.
     *
     * @param limit its name
     * @param before the old value, as text
     * @param after the new value, as text
     */
    record LimitChanged(String limit, String before, String after) implements GuardEvent {}
}
