package dev.latchkey.auth.guard;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The tokens that an admitted login holds until it is known what became of it.
 *
 * <p>Must be settled once on every way out, an error included: until then others wait behind it. Settling again does nothing.
 * Safe for use by any number of threads.
 */
public final class Reservation {

    private final LoginLimits limits;
    private final LoginAttempt attempt;
    private final List<LimitLevel> held;
    private final AtomicBoolean settled = new AtomicBoolean();

    Reservation(LoginLimits limits, LoginAttempt attempt, List<LimitLevel> held) {
        this.limits = limits;
        this.attempt = attempt;
        this.held = List.copyOf(held);
    }

    /** Says what became of the login. */
    public void settle(AttemptResult result) {
        if (settled.compareAndSet(false, true)) {
            limits.settle(attempt, held, result);
        }
    }
}
