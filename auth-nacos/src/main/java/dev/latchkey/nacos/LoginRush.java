package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a flood of first logins off the server's processors: while more hashes are wanted than can be computed, few logins at a time
 * pass the server's filters.
 *
 * <p>A login that is refused for want of a hash has cost the filters of Spring Security and of the server, the limits and a row of the
 * database by then, about twice what it costs to refuse it before them. Worked on by all threads of the server, a thousand a second leave
 * nothing to anybody. So for a second after each refusal for want of a hash only so many are worked on beside those that wait for one;
 * what comes beyond is refused here. Where all hashes that are wanted are computed, nothing is counted but the logins.
 *
 * <p>A login of an account from where it has logged in before always passes: nobody can shut an owner out of it by a flood. Of the others
 * none is told from another, so a refusal says nothing about an account. Safe for use by any number of threads.
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
     * @param atOnce logins that are worked on during a rush
     * @param waiting how many threads wait for a hash: they take no processor
     * @param known whether the account of this name has logged in from where the call of this thread comes from
     */
    LoginRush(int atOnce, IntSupplier waiting, Predicate<String> known, LongSupplier nanoTime) {
        this.atOnce = atOnce;
        this.waiting = waiting;
        this.known = known;
        this.nanoTime = nanoTime;
        this.startedAt = nanoTime.getAsLong();
    }

    /**
     * Whether this login may be worked on; then {@link #leave} has to follow.
     *
     * @param username of its account, which has arrived: a login whose client is slow to send it has no place yet
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

    /** After a login that found no hash in time. */
    void overloaded() {
        lastedUntil = sinceStart() + LASTS.toNanos();
    }

    /** What a login is told that may not enter. */
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
