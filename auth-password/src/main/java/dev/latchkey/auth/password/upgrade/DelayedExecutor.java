package dev.latchkey.auth.password.upgrade;

import dev.latchkey.auth.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs work later, on its own thread. */
interface DelayedExecutor extends AutoCloseable {

    /** Runs the task after this delay, unless the executor is closed earlier. */
    void after(Duration rest, Runnable task);

    @Override
    void close();

    static DelayedExecutor onOwnThread() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(
                1, DaemonThreads.of(DelayedExecutor.class, "latchkey-password-upgrade"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        return new DelayedExecutor() {
            @Override
            public void after(Duration rest, Runnable task) {
                // The task handles its own exceptions.
                ScheduledFuture<?> unused = executor.schedule(task, rest.toNanos(), TimeUnit.NANOSECONDS);
            }

            @Override
            public void close() {
                executor.shutdown();
            }
        };
    }
}
