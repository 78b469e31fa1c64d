package dev.latchkey.auth.guard;

import java.time.Duration;
import java.util.function.Function;

/** Whether a login may be checked now. */
public sealed interface Admission {

    /** It may; the reservation must be settled, whatever becomes of the check. */
    record Admitted(Reservation reservation) implements Admission {}

    /**
     * It may not, and no hash may be spent on it.
     *
     * @param limit for metrics; a caller is not told which, as that would tell it what others do
     * @param retryAfter when an attempt may be admitted, if nobody else is in between
     */
    record Refused(LoginLimit limit, Duration retryAfter) implements Admission {}

    /** The value that the function for this case gives; every case is covered. */
    default <T> T fold(
            Function<? super Admitted, ? extends T> ifAdmitted, Function<? super Refused, ? extends T> ifRefused) {
        if (this instanceof Admitted admitted) {
            return ifAdmitted.apply(admitted);
        }
        return ifRefused.apply((Refused) this);
    }
}
