package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.Admission.Admitted;
import dev.latchkey.auth.guard.login.Reservation;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One login of a reactive service. Its reservation is settled exactly once, when the login ends. If the client goes away while the limits are still
 * asked, whichever of the two comes later settles it.
 */
final class ReactiveAttempt {

    /** Before the limits have answered, while the login is decided, and when it has ended. */
    private sealed interface State {
        record Waiting() implements State {}

        record Open(Reservation reservation) implements State {}

        record Over() implements State {}
    }

    private final AtomicReference<State> state = new AtomicReference<>(new State.Waiting());
    private final @Nullable CharSequence password;

    ReactiveAttempt(@Nullable CharSequence password) {
        this.password = password;
    }

    /** The limits have answered. */
    void answered(@Nullable Admission admission) {
        if (admission instanceof Admitted admitted) {
            begin(admitted.reservation());
        }
    }

    void begin(Reservation reservation) {
        State before = state.get();
        if (!(before instanceof State.Waiting) || !state.compareAndSet(before, new State.Open(reservation))) {
            reservation.settle(AttemptResult.NOT_ATTEMPTED, null);
        }
    }

    /** However often it is called, the first counts. */
    void end(AttemptResult result) {
        if (state.getAndSet(new State.Over()) instanceof State.Open open) {
            open.reservation().settle(result, password);
        }
    }
}
