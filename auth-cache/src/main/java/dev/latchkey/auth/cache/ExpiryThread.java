package dev.latchkey.auth.cache;

import com.github.benmanes.caffeine.cache.Scheduler;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Has expired entries removed where nobody looks at them any more.
 *
 * <p>A thread of the cache's own, which is there while something is to expire. The one that all users of the JDK's
 * timeouts share never ends: it keeps the class loader of whoever made it start, and what is due on it that of the
 * cache, long after a service was stopped.
 */
final class ExpiryThread implements Scheduler, AutoCloseable {

    static final String NAME = "latchkey-cache";

    private static final Duration IDLE = Duration.ofSeconds(1);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, ExpiryThread::daemon);
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

    /** What was due is not done; from then on nothing is. */
    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(null, work, NAME, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(ExpiryThread.class.getClassLoader());
        return thread;
    }
}
