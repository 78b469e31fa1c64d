package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Protects the server's processors from a flood of first logins: while hashes are scarce, only a few logins at a time pass
 * the server's filters.
 *
 * <p>A login rejected without a hash has already passed the filters of Spring Security and of the server, the limits and
 * a read of a database row. Such a rejection costs about twice as much as a rejection by this class. A thousand such
 * logins a second on all threads would leave no time for other requests. Therefore a login without room for its hash
 * limits the logins of the next second, in addition to the logins that wait for a hash. This class rejects further
 * logins. At other times, this class only counts the logins.
 *
 * <p>A login of a known client always passes: a flood cannot lock out an account's owner. All other logins are treated
 * equally, so a rejection reveals nothing about an account. Safe for use by any number of threads.
 */
final class LoginRush {

    private static final Duration LASTS = Duration.ofSeconds(1);

    private final int atOnce;
    private final IntSupplier waiting;
    private final Predicate<String> known;
    private final LongSupplier nanoTime;
    private final AtomicInteger within = new AtomicInteger();
    private final long startedAt;
    private volatile long lastedUntil;

    /**
     * @param atOnce the largest number of running logins during a rush
     * @param waiting the number of threads that wait for a hash or for other logins, without using a processor
     * @param known whether the client of this thread's call is known for the account with this name
     */
    LoginRush(int atOnce, IntSupplier waiting, Predicate<String> known, LongSupplier nanoTime) {
        this.atOnce = atOnce;
        this.waiting = waiting;
        this.known = known;
        this.nanoTime = nanoTime;
        this.startedAt = nanoTime.getAsLong();
    }

    /**
     * Whether this login may run; if true, {@link #leave} must follow.
     *
     * @param username read from the complete request, so a slow client takes no slot while sending
     */
    boolean enter(@Nullable String username) {
        int working = within.incrementAndGet() - waiting.getAsInt();
        if (working <= atOnce || !isOn() || isKnown(username)) {
            return true;
        }
        within.decrementAndGet();
        return false;
    }

    private boolean isKnown(@Nullable String username) {
        return username != null && known.test(username);
    }

    void leave() {
        within.decrementAndGet();
    }

    /** Called after a login that found no room for a hash: no permit in time, or no thread to wait for a permit. */
    void overloaded() {
        lastedUntil = sinceStart() + LASTS.toNanos();
    }

    /** The answer to a login that may not enter. */
    static AuthUnavailableException refusal() {
        return AuthUnavailableException.overload("Too many first logins at a time", LASTS);
    }

    private boolean isOn() {
        return sinceStart() < lastedUntil;
    }

    private long sinceStart() {
        return nanoTime.getAsLong() - startedAt;
    }
}
