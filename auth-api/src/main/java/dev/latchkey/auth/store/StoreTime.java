package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The time budget of a request for all its calls of stores. Each call reduces the budget by its duration. Other work of
 * the request, such as a hash, does not count. A request creates a budget, and calls its stores through
 * {@link #of(LoginStore)} and {@link #of(RevocationStore)}.
 *
 * <p>Without this budget, three calls that each end just before their deadline would delay a request three times as
 * long. Safe for use by any number of threads.
 */
public final class StoreTime {

    /** The budget of a request. */
    public static final Duration OF_A_REQUEST = Duration.ofSeconds(2);

    private final LongSupplier nanos;
    private final AtomicLong left;

    StoreTime(Duration total, LongSupplier nanos) {
        this.left = new AtomicLong(total.toNanos());
        this.nanos = nanos;
    }

    /**
     * The budget of a request that begins now.
     *
     * @return the full {@link #OF_A_REQUEST}
     */
    public static StoreTime ofARequest() {
        return new StoreTime(OF_A_REQUEST, System::nanoTime);
    }

    /**
     * The same sessions within this budget.
     *
     * @param logins called {@linkplain LoginStore#within within} the rest of the budget
     * @return a store for this request; calls without remaining budget are outages
     */
    public LoginStore of(LoginStore logins) {
        return new TimedLogins(logins, this);
    }

    /**
     * The same revocations within this budget.
     *
     * @param revocations called {@linkplain RevocationStore#within within} the rest of the budget
     * @return a store for this request; calls without remaining budget are outages
     */
    public RevocationStore of(RevocationStore revocations) {
        return new TimedRevocations(revocations, this);
    }

    /** Runs the call with the remaining budget as its argument. */
    <T> T spend(Function<Duration, T> call) {
        long begun = nanos.getAsLong();
        long before = left.get();
        if (before <= 0) {
            throw AuthUnavailableException.outage(
                    "The stores have taken " + OF_A_REQUEST.toSeconds() + " seconds of this request already");
        }
        try {
            return call.apply(Duration.ofNanos(before));
        } finally {
            left.addAndGet(begun - nanos.getAsLong());
        }
    }
}
