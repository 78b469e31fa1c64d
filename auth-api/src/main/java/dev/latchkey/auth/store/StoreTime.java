package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The time budget of a request for all its calls of stores. Each call reduces the budget by its duration. Other work of
 * the request, such as a hash, does not count. The filter before Spring Security's begins the budget, as a part of the
 * request's {@link CurrentLogin}. The check of a token and the work of an endpoint share the budget, and call their
 * stores through {@link #of(LoginStore)} and {@link #of(RevocationStore)}.
 *
 * <p>Without this budget, three calls that each end just before their deadline would delay a request three times as
 * long. Safe for use by any number of threads.
 */
public final class StoreTime {

    /** The budget of a request. */
    public static final Duration OF_A_REQUEST = Duration.ofSeconds(2);

    private static final CurrentLogin.Part<StoreTime> PART = new CurrentLogin.Part<>();

    private final LongSupplier nanos;
    private final AtomicLong left;

    StoreTime(Duration total, LongSupplier nanos) {
        this.left = new AtomicLong(total.toNanos());
        this.nanos = nanos;
    }

    /**
     * The budget of the calling thread's request.
     *
     * @return a new budget of {@link #OF_A_REQUEST} on a thread without a request
     */
    public static StoreTime ofARequest() {
        StoreTime begun = CurrentLogin.here().get(PART);
        return begun == null ? new StoreTime(OF_A_REQUEST, System::nanoTime) : begun;
    }

    /**
     * A request with this budget.
     *
     * @param request bind the result to the threads of the request
     * @return another object
     */
    public CurrentLogin in(CurrentLogin request) {
        return request.with(PART, this);
    }

    /**
     * The same sessions within this budget.
     *
     * @param logins called {@linkplain LoginStore#within within} the rest of the budget
     * @return a store for this request; calls without remaining budget are outages
     */
    public LoginStore of(LoginStore logins) {
        return uses(logins) ? logins : new TimedLogins(logins, this);
    }

    /**
     * The same revocations within this budget. Answers from the memory of this process use up nothing.
     *
     * @param revocations called {@linkplain RevocationStore#within within} the rest of the budget
     * @return a store for this request; calls without remaining budget are outages
     */
    public RevocationStore of(RevocationStore revocations) {
        if (revocations instanceof LocalRevocations copy) {
            return copy.during(this);
        }
        return revocations instanceof InMemoryRevocationStore || uses(revocations)
                ? revocations
                : new TimedRevocations(revocations, this);
    }

    /** A call through two views would count twice. */
    private boolean uses(Object store) {
        return store instanceof Timed timed && timed.time() == this;
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
