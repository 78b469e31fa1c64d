package dev.latchkey.auth.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The time that stores may take of one request, in all their calls together. It begins full, and each call takes from it what the call took: what the
 * request does besides, such as computing a hash, takes nothing. A request makes one of these, and asks its stores through {@link #of(LoginStore)} and
 * {@link #of(RevocationStore)}.
 *
 * <p>So a store whose calls each end just before their own deadline holds up no request three times as long. Safe for use by any number of threads.
 */
public final class StoreTime {

    /** How long that is. */
    public static final Duration OF_A_REQUEST = Duration.ofSeconds(2);

    private final LongSupplier nanos;
    private final AtomicLong left;

    StoreTime(Duration total, LongSupplier nanos) {
        this.left = new AtomicLong(total.toNanos());
        this.nanos = nanos;
    }

    /**
     * The time of a request that begins now.
     *
     * @return {@link #OF_A_REQUEST}, of which nothing is taken yet
     */
    public static StoreTime ofARequest() {
        return new StoreTime(OF_A_REQUEST, System::nanoTime);
    }

    /**
     * The same logins, asked in this time.
     *
     * @param logins asked {@linkplain LoginStore#within within} what is left at each call
     * @return a store for this request, whose calls are outages when nothing is left
     */
    public LoginStore of(LoginStore logins) {
        return new TimedLogins(logins, this);
    }

    /**
     * The same revocations, asked in this time.
     *
     * @param revocations asked {@linkplain RevocationStore#within within} what is left at each call
     * @return a store for this request, whose calls are outages when nothing is left
     */
    public RevocationStore of(RevocationStore revocations) {
        return new TimedRevocations(revocations, this);
    }

    /** What the call answers, which is told how long it may take. */
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
