package dev.latchkey.auth.cache;

import com.github.benmanes.caffeine.cache.Scheduler;
import dev.latchkey.auth.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Removes expired entries in the background.
 *
 * <p>The cache has its own thread, which ends while no entry can expire. The shared thread for the JDK's timeouts never
 * ends. The shared thread would keep the class loaders of its creator and of the cache long after a service stopped.
 */
final class ExpiryThread implements Scheduler, AutoCloseable {

    static final String NAME = "latchkey-cache";

    private static final Duration IDLE = Duration.ofSeconds(1);

    private final ScheduledThreadPoolExecutor executor =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.of(ExpiryThread.class, NAME));
    private final Scheduler scheduler = Scheduler.guardedScheduler(Scheduler.forScheduledExecutorService(executor));

    ExpiryThread() {
        executor.setKeepAliveTime(IDLE.toNanos(), TimeUnit.NANOSECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Future<?> schedule(Executor work, Runnable command, long delay, TimeUnit unit) {
        return scheduler.schedule(work, command, delay, unit);
    }

    /** Drops the scheduled work and accepts no new work. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
