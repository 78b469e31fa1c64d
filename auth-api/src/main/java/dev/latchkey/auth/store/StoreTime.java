package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.engine.OutageLog;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The time budget of a request for all its calls of stores. Each call reduces the budget by its duration. Other work of
 * the request, such as a hash, does not count. A filter before Spring Security's filter begins the budget, as a part of the
 * request's {@link CurrentLogin}. The check of a token and the work of an endpoint share the budget: the stores of
 * {@link #of(LoginStore)} and {@link #of(RevocationStore)} ask for the budget at each call. The revocation of an account
 * is a command of the service, and has its own budget.
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
     * A copy of the request with this budget.
     *
     * @param request bind the result to the threads of the request
     * @return another object
     */
    public CurrentLogin in(CurrentLogin request) {
        return request.with(PART, this);
    }

    /**
     * Does work with one budget for all its calls of stores: the request's budget, or a new budget without a request.
     *
     * @param <T> the type of the result
     * @param work runs once, on the calling thread
     * @return the result of the work
     */
    public static <T> T inOneRequest(Supplier<T> work) {
        CurrentLogin request = CurrentLogin.here();
        return request.get(PART) == null ? ofARequest().in(request).supply(work) : work.get();
    }

    /**
     * Does work with a new budget for each call of a store. For work with too many calls for the budget of one request.
     *
     * @param <T> the type of the result
     * @param work runs once, on the calling thread
     * @return the result of the work
     */
    public static <T> T forEachCall(Supplier<T> work) {
        return CurrentLogin.here().without(PART).supply(work);
    }

    /**
     * Sessions with each call within the budget of the calling thread's request.
     *
     * @param logins called {@linkplain LoginStore#within within} the rest of the budget
     * @return a store for all requests; calls without remaining budget are outages
     */
    public static LoginStore of(LoginStore logins) {
        return logins instanceof TimedLogins ? logins : new TimedLogins(logins, null);
    }

    /**
     * Sessions as of {@link #of(LoginStore)}, with a log of outages.
     *
     * @param logins called {@linkplain LoginStore#within within} the rest of the budget
     * @param outages logs the start and the end of an outage
     * @return a store for all requests; calls without remaining budget are outages
     */
    public static LoginStore of(LoginStore logins, OutageLog outages) {
        return new TimedLogins(logins, outages);
    }

    /**
     * Revocations with each call within the budget of the calling thread's request. Answers from the memory of this
     * process do not use the budget.
     *
     * @param revocations called {@linkplain RevocationStore#within within} the rest of the budget
     * @return a store for all requests; calls without remaining budget are outages
     */
    public static RevocationStore of(RevocationStore revocations) {
        return revocations instanceof TimedRevocations
                        || revocations instanceof LocalRevocations
                        || revocations instanceof InMemoryRevocationStore
                ? revocations
                : new TimedRevocations(revocations, null);
    }

    /**
     * Revocations as of {@link #of(RevocationStore)}, with a log of outages.
     *
     * @param revocations called {@linkplain RevocationStore#within within} the rest of the budget
     * @param outages logs the start and the end of an outage
     * @return a store for all requests; calls without remaining budget are outages
     */
    public static RevocationStore of(RevocationStore revocations, OutageLog outages) {
        return new TimedRevocations(revocations, outages);
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
