package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.LoginLimit;
import java.time.Duration;
import java.util.function.Function;

/** Whether a login may be checked now. Immutable, but for the reservation. */
public sealed interface Admission {

    /**
     * The login may be checked.
     *
     * @param reservation to be settled, whatever becomes of the check
     */
    record Admitted(Reservation reservation) implements Admission {}

    /**
     * The login may not be checked, and no password may be compared for it.
     *
     * @param limit for metrics; never shown to a caller, who would learn from it what others do
     * @param retryAfter when an attempt may be admitted, if nobody else is in between
     */
    record Refused(LoginLimit limit, Duration retryAfter) implements Admission {

        /**
         * The refusal as the exception for the caller.
         *
         * @return of kind {@code THROTTLED}, with the time to retry after
         */
        public AuthUnavailableException asException() {
            return AuthUnavailableException.throttled("Too many logins have failed", retryAfter);
        }
    }

    /**
     * Applies the function for this case; every case is covered.
     *
     * @param <T> of the value
     * @param ifAdmitted given the admission
     * @param ifRefused given the refusal
     * @return the value of the function that was applied
     */
    default <T> T fold(
            Function<? super Admitted, ? extends T> ifAdmitted, Function<? super Refused, ? extends T> ifRefused) {
        if (this instanceof Admitted admitted) {
            return ifAdmitted.apply(admitted);
        }
        return ifRefused.apply((Refused) this);
    }

    /**
     * The reservation of an admitted login.
     *
     * @return to be settled, whatever becomes of the check
     * @throws AuthUnavailableException for the caller, if the login was refused
     */
    default Reservation orThrow() {
        if (this instanceof Admitted admitted) {
            return admitted.reservation();
        }
        throw ((Refused) this).asException();
    }
}
