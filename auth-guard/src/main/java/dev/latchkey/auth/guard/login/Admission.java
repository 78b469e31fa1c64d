package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.LoginLimit;
import java.time.Duration;

/** Whether a login may be checked now. Immutable, except for the reservation. */
public sealed interface Admission {

    /**
     * The login may be checked.
     *
     * @param reservation settle the reservation after every result of the check
     */
    record Admitted(Reservation reservation) implements Admission {}

    /**
     * The login may not be checked, and no password may be compared.
     *
     * @param limit for metrics; never shown to a caller, because the limit reveals other callers' actions
     * @param retryAfter the time until an attempt may be admitted, if no other login comes first
     */
    record Refused(LoginLimit limit, Duration retryAfter) implements Admission {}

    /**
     * The reservation of an admitted login.
     *
     * @return settle the reservation after every result of the check
     * @throws AuthUnavailableException for the caller, if the login was rejected
     */
    default Reservation orThrow() {
        if (this instanceof Admitted admitted) {
            return admitted.reservation();
        }
        throw AuthUnavailableException.throttled("Too many logins have failed", ((Refused) this).retryAfter());
    }
}
