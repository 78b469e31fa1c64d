package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls of a directory that end in time, whatever it does: connecting to one server after the other, a handshake, and each answer take time of their own,
 * and their bounds add up. So a call runs on a thread of the plugin, and whoever waits for it waits so long and no longer.
 *
 * <p>There are so many threads and no queue: who would wait in one has given up by the end of it.
 */
final class BoundedCalls implements AutoCloseable {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final String plugin;
    private final Duration timeout;
    private final ThreadPoolExecutor threads;

    BoundedCalls(String plugin, int most, Duration timeout) {
        this.plugin = plugin;
        this.timeout = timeout;
        AtomicInteger number = new AtomicInteger();
        this.threads =
                new ThreadPoolExecutor(0, most, IDLE.toSeconds(), TimeUnit.SECONDS, new SynchronousQueue<>(), call -> {
                    Thread thread = new Thread(call, "latchkey-" + plugin + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /**
     * What the call answers.
     *
     * @throws AuthUnavailableException if no thread is free, the call takes too long, or it fails
     */
    <T> T run(Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        try {
            threads.execute(task);
            return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            throw AuthUnavailableException.overload("All connections of '" + plugin + "' are in use", A_MOMENT);
        } catch (TimeoutException e) {
            throw AuthUnavailableException.outage(
                    "The directory of '" + plugin + "' gave no answer within " + timeout.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AuthUnavailableException.outage("Interrupted while the directory of '" + plugin + "' was asked");
        } catch (ExecutionException e) {
            throw Trouble.outage(plugin, e.getCause() == null ? e : e.getCause());
        } finally {
            // Of one that runs yet: its thread is free again as soon as it notices.
            task.cancel(true);
        }
    }

    /** Interrupts what runs. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
