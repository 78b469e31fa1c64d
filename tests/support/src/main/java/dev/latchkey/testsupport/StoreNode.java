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

/** A node with its own stores and an updated copy of revocations. Safe for use by any number of threads. */
public final class StoreNode implements AutoCloseable {

    /** The answer to a token. */
    public enum Answer {
        ACCEPTED,
        REFUSED,
        OUTAGE
    }

    /** How long tokens and logins last. */
    public static final Duration LIFETIME = Duration.ofHours(1);

    /** The maximum age of a copy without a call to the store. */
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
     * A node with a running refresh.
     *
     * @param closing closes the resources of the stores
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

    /** Waits for the next reading; returns whether the copy is fresh then. */
    public boolean hasRefreshed() {
        int before = readings.get();
        Until.until(() -> readings.get() > before + 1);
        return copy.status().isFresh();
    }

    /** Whether the last reading began after this time of {@link System#nanoTime()}. */
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
            // The next reading tries again.
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        closing.run();
    }
}
