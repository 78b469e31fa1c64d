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
 * Directory calls with a total time limit. Connecting to several servers, a handshake and each answer have their own
 * limits, and these limits add up. Therefore a call runs on a thread of the plugin, and the caller waits at most this
 * time.
 *
 * <p>The number of threads is fixed, without a queue: a queued caller's time would be over before its turn.
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
     * Runs the call and returns its result.
     *
     * @throws AuthUnavailableException if no thread is free, the call takes too long, or the call fails
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
            // Interrupts a running call, so that its thread is free soon.
            task.cancel(true);
        }
    }

    /** Interrupts the running calls. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
