package dev.latchkey.testsupport;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.store.LocalRevocationSettings;
import dev.latchkey.auth.store.LocalRevocations;
import dev.latchkey.auth.store.LoginStore;
import dev.latchkey.auth.store.SharedRevocationStore;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A node with stores of its own and a copy of revocations, which it keeps up to date. Safe for use by any number of threads. */
public final class StoreNode implements AutoCloseable {

    /** What becomes of a token. */
    public enum Answer {
        ACCEPTED,
        REFUSED,
        OUTAGE
    }

    /** How long tokens and logins last. */
    public static final Duration LIFETIME = Duration.ofHours(1);

    /** The longest that a copy answers alone. */
    public static final Duration STALE_AFTER = Duration.ofMillis(800);

    private final LocalRevocations copy;
    private final LoginStore logins;
    private final Runnable closing;
    private final AtomicInteger readings = new AtomicInteger();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private volatile long knowsUntil = Long.MIN_VALUE;

    private StoreNode(SharedRevocationStore revocations, LoginStore logins, Runnable closing) {
        LocalRevocationSettings settings = LocalRevocationSettings.defaults().withStaleAfter(STALE_AFTER);
        this.copy = LocalRevocations.of(revocations, settings);
        this.logins = logins;
        this.closing = closing;
        long nanos = settings.refreshInterval().toNanos();
        Future<?> unused = thread.scheduleWithFixedDelay(this::read, 0, nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * A node that reads from now on.
     *
     * @param closing closes what the stores stand on
     */
    public static StoreNode started(SharedRevocationStore revocations, LoginStore logins, Runnable closing) {
        return new StoreNode(revocations, logins, closing);
    }

    public LocalRevocations copy() {
        return copy;
    }

    public LoginStore logins() {
        return logins;
    }

    public Answer answer(String token) {
        try {
            return copy.isTokenRevoked(token) ? Answer.REFUSED : Answer.ACCEPTED;
        } catch (AuthUnavailableException e) {
            return Answer.OUTAGE;
        }
    }

    /** Waits until it has read once more from now on; whether its copy is fresh then. */
    public boolean hasRefreshed() {
        int before = readings.get();
        Until.until(() -> readings.get() > before + 1);
        return copy.status().isFresh();
    }

    /** Whether its last reading began later than that, by {@link System#nanoTime()}. */
    boolean hasReadAfter(long nanos) {
        long last = knowsUntil;
        return last != Long.MIN_VALUE && last - nanos > 0;
    }

    private void read() {
        try {
            long begun = System.nanoTime();
            copy.refresh();
            knowsUntil = begun;
            readings.incrementAndGet();
        } catch (AuthUnavailableException e) {
            // It is tried again.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        closing.run();
    }
}
