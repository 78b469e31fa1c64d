package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.engine.OutageLog;
import dev.latchkey.auth.store.LocalRevocations;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Refreshes the copy of the revocations. The first reading comes before the server accepts requests. If the store does not answer
 * then, the service starts all the same: log and health show the outage, and no token is accepted until the store answers.
 */
final class RevocationRefresh implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(RevocationRefresh.class);

    static final String THREAD_NAME = "latchkey-revocations";

    /** After connections and before servers at the start; the reverse at the stop. */
    static final int PHASE = 1;

    /** The store's name in the log, shared by all users of the store, so that an outage is one line. */
    private static final String NAME = "The store of revocations";

    private final LocalRevocations revocations;
    private final Duration interval;
    private final Runnable beforeTheFirst;
    private final OutageLog outages;
    private final AtomicBoolean isDueSoon = new AtomicBoolean();
    private final ReadingPace pace = new ReadingPace(System::nanoTime);
    private volatile @Nullable ScheduledExecutorService thread;

    /** Whether the copy had no room after the last reading. */
    private volatile boolean wasFull;

    /**
     * @param beforeTheFirst runs before the first reading; an exception stops the start
     */
    RevocationRefresh(LocalRevocations revocations, Duration interval, Runnable beforeTheFirst, OutageLog outages) {
        this.revocations = revocations;
        this.interval = interval;
        this.beforeTheFirst = beforeTheFirst;
        this.outages = outages;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Requests a reading before the next interval; returns at once. */
    void soon() {
        ScheduledExecutorService present = thread;
        if (present != null && isDueSoon.compareAndSet(false, true)) {
            try {
                Future<?> unused = present.schedule(this::refreshSoon, pace.waitNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                // The scheduler is stopping.
                isDueSoon.set(false);
            }
        }
    }

    /** This reading serves all earlier requests for a reading. */
    private void refreshSoon() {
        pace.begins();
        isDueSoon.set(false);
        refresh();
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            beforeTheFirst.run();
            refresh();
            ScheduledExecutorService made =
                    Executors.newSingleThreadScheduledExecutor(DaemonThreads.of(RevocationRefresh.class, THREAD_NAME));
            long nanos = interval.toNanos();
            Future<?> unused = made.scheduleWithFixedDelay(this::refresh, nanos, nanos, TimeUnit.NANOSECONDS);
            thread = made;
        }
    }

    @Override
    public synchronized void stop() {
        ScheduledExecutorService present = thread;
        if (present != null) {
            present.shutdownNow();
            thread = null;
            isDueSoon.set(false);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    /** An exception here would end the refreshing silently. A reading that {@link #stop} interrupts is no outage of the store. */
    private void refresh() {
        try {
            read();
            outages.answered(NAME);
            warnIfFull();
        } catch (AuthUnavailableException e) {
            if (!Thread.currentThread().isInterrupted()) {
                outages.failed(NAME, e);
            }
        }
    }

    /** A complete reading leaves the copy without an age only if the copy has no room. */
    private void warnIfFull() {
        boolean isFull = revocations.status().age().isEmpty();
        if (isFull && !wasFull) {
            LOG.warn(
                    "There are more revocations than latchkey.revocation.maximum-size={}, so each token check calls the store",
                    revocations.settings().maximumSize());
        }
        wasFull = isFull;
    }

    /** A store with a defect counts as down: one line in the log, instead of a stack trace at each reading. */
    private void read() {
        try {
            revocations.refresh();
        } catch (AuthUnavailableException e) {
            throw e;
        } catch (Throwable e) { // also Kotlin's checked exceptions
            throw AuthUnavailableException.outage("its copy cannot be read", e);
        }
    }
}
