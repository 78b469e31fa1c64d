package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.AuthUnavailableException;
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
import org.springframework.context.SmartLifecycle;

/**
 * Keeps the copy of revocations up to date while the service runs, and has it read before the server takes a request. A store that does not answer
 * then is in the log and in the service's health, and no token is accepted until it does.
 */
final class RevocationRefresh implements SmartLifecycle {

    static final String THREAD_NAME = "latchkey-revocations";

    /** Connections start before, and stop afterwards; servers start in late phases, and stop in them first. */
    static final int PHASE = 1;

    /** What other users of the store call it in the log, too: so there is one line for all of them. */
    private static final String NAME = "The store of revocations";

    private final LocalRevocations revocations;
    private final Duration interval;
    private final Runnable beforeTheFirst;
    private final OutageLog outages;
    private final AtomicBoolean isDueSoon = new AtomicBoolean();
    private final ReadingPace pace = new ReadingPace(System::nanoTime);
    private volatile @Nullable ScheduledExecutorService thread;

    /** @param beforeTheFirst run at the start, before anything is read; what it throws ends the start */
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

    /** Reads what is new before its turn; returns at once. */
    void soon() {
        ScheduledExecutorService present = thread;
        if (present != null && isDueSoon.compareAndSet(false, true)) {
            try {
                Future<?> unused = present.schedule(this::refreshSoon, pace.waitNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException e) {
                // It stops at this moment.
                isDueSoon.set(false);
            }
        }
    }

    /** What comes meanwhile is read by the next one. */
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
            ScheduledExecutorService made = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread of = new Thread(task, THREAD_NAME);
                of.setDaemon(true);
                return of;
            });
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

    /** What is thrown here would end the refreshing without a word. */
    private void refresh() {
        try {
            outages.run(NAME, this::read);
        } catch (AuthUnavailableException e) {
            // The log has it.
        }
    }

    /** A store with a defect counts as one that does not answer: it is logged once, and not with a stack trace twice in a second. */
    private void read() {
        try {
            revocations.refresh();
        } catch (AuthUnavailableException e) {
            throw e;
        } catch (Throwable e) { // Kotlin's checked exceptions too
            throw AuthUnavailableException.outage("its copy cannot be read", e);
        }
    }
}
