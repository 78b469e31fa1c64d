package dev.latchkey.auth.guard;

import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.guard.internal.Durations;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Wake-ups on one daemon thread, in a heap: ten thousand sleepers cost ten thousand entries and no thread. */
final class TimerThread implements GuardTime {

    private static final Logger LOG = LoggerFactory.getLogger(TimerThread.class);
    private static final WakeUp NONE = () -> {};

    private final ScheduledThreadPoolExecutor executor;

    TimerThread() {
        executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.of(TimerThread.class, "latchkey-guard-timer"));
        // Nearly every deadline is cancelled: without this policy, each would stay in the heap until its time.
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public WakeUp after(Duration delay, Runnable action) {
        try {
            ScheduledFuture<?> due =
                    executor.schedule(() -> run(action), Durations.saturatedNanos(delay), TimeUnit.NANOSECONDS);
            return () -> due.cancel(false);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not scheduled: the guard's timer is closed", e);
            return NONE;
        }
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("A wake-up of the guard failed", e);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
