package dev.latchkey.plugins.ldap;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Directory calls with a total time limit. Connecting to several servers, a handshake and each answer have their own
 * limits, and these limits add up. Therefore a call runs on a thread of the plugin, and the caller waits at most this
 * time.
 *
 * <p>The number of concurrent calls is fixed, without a queue: a queued caller's time would be over before its turn.
 */
final class BoundedCalls implements AutoCloseable {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final String plugin;
    private final Duration timeout;
    private final Semaphore free;
    private final ExecutorService threads;

    BoundedCalls(String plugin, int most, Duration timeout) {
        this.plugin = plugin;
        this.timeout = timeout;
        this.free = new Semaphore(most);
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newCachedThreadPool(
                call -> DaemonThreads.of(BoundedCalls.class, "latchkey-" + plugin + "-" + number.incrementAndGet())
                        .newThread(call));
    }

    /**
     * Runs the call and returns its result.
     *
     * @throws AuthUnavailableException if too many calls are running, the call takes too long, or the call fails
     */
    <T> T run(Callable<T> call) {
        if (!free.tryAcquire()) {
            throw AuthUnavailableException.overload("All connections of '" + plugin + "' are in use", A_MOMENT);
        }
        FutureTask<T> task = new FutureTask<>(call);
        try {
            if (!begun(task).await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw AuthUnavailableException.outage(
                        "The directory of '" + plugin + "' gave no answer within " + timeout.toMillis() + " ms");
            }
            return task.get();
        } catch (RejectedExecutionException e) {
            throw AuthUnavailableException.outage("The plugin '" + plugin + "' is closed");
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

    private CountDownLatch begun(FutureTask<?> task) {
        CountDownLatch over = new CountDownLatch(1);
        try {
            threads.execute(() -> {
                task.run();
                // Releases the permit before the caller continues, so that the caller's next call finds a free permit.
                free.release();
                over.countDown();
            });
            return over;
        } catch (OutOfMemoryError e) {
            // The machine cannot start a further thread now.
            free.release();
            throw e;
        }
    }

    /** Interrupts the running calls. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
