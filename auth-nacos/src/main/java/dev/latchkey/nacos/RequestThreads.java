package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Limits the number of request threads that may wait for a password hash. Such a request has a name and a password in
 * place of a token. The server decides the request in the middle of its own filters, so the request cannot move to
 * {@link LoginThreads}. Safe for use by any number of threads.
 */
final class RequestThreads {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final Semaphore slots;
    private final BooleanSupplier hashBeginsAtOnce;
    private final Predicate<String> known;

    /** @param known whether the client of this thread's call has logged in to the account with this name */
    RequestThreads(int most, BooleanSupplier hashBeginsAtOnce, Predicate<String> known) {
        this.slots = new Semaphore(most);
        this.hashBeginsAtOnce = hashBeginsAtOnce;
        this.known = known;
    }

    /**
     * Decides on this thread.
     *
     * @throws AuthUnavailableException if too many request threads wait already
     */
    <T> T run(String username, Supplier<T> decision) {
        if (hashBeginsAtOnce.getAsBoolean() || known.test(username)) {
            return decision.get();
        }
        if (!slots.tryAcquire()) {
            throw AuthUnavailableException.overload("Too many request threads wait for a hash", A_MOMENT);
        }
        try {
            return decision.get();
        } finally {
            slots.release();
        }
    }
}
