package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.login.Admission;
import dev.latchkey.auth.guard.login.Admission.Admitted;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.spring.password.ComparedPassword;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.AuthenticationException;

/**
 * A login of a reactive service. Its reservation is settled exactly once, at the end of the login. If the client disconnects
 * before the answer of the limits, the later of the two events settles the reservation.
 */
final class ReactiveAttempt {

    /** Before the answer of the limits, during the decision, and after the end. */
    private sealed interface State {
        record Waiting() implements State {}

        record Open(Reservation reservation) implements State {}

        record Over() implements State {}
    }

    private final AtomicReference<State> state = new AtomicReference<>(new State.Waiting());
    private final ComparedPassword password;

    ReactiveAttempt(@Nullable CharSequence password) {
        this.password = new ComparedPassword(password);
    }

    ComparedPassword password() {
        return password;
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

    /** The client has disconnected. */
    void left() {
        end(password.resultWithoutAnAnswer());
    }

    /** The manager has failed. An exception of Spring Security is an answer, and any other exception may be none. */
    void failed(Throwable failure) {
        AttemptResult alone = PasswordLogins.resultOf(failure);
        boolean isAnAnswer = alone != AttemptResult.FAILED || failure instanceof AuthenticationException;
        end(password.failed(failure, isAnAnswer ? alone : password.resultWithoutAnAnswer()));
    }

    /** Only the first call counts. */
    void end(AttemptResult result) {
        if (state.getAndSet(new State.Over()) instanceof State.Open open) {
            open.reservation().settle(result, password.explaining(result));
        }
    }
}
