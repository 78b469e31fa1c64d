package dev.latchkey.auth.contract;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Calls on a thread of their own, so that one that never returns ends a test, and not a build. JUnit's own limit interrupts the
 * caller, which helps only where the plugin listens.
 */
final class TimeLimit {

    /** For what has no time-out of its own: no plugin takes as long, on whatever machine. */
    static final Duration USUAL = Duration.ofSeconds(30);

    /** For many calls in a row. */
    static final Duration LONG = Duration.ofSeconds(90);

    private TimeLimit() {}

    /** Returns or throws as the call does. After the limit, fails with the stack of the waiting thread. */
    static <T> T call(Duration limit, String input, Callable<T> call) throws Exception {
        return call(Thread.currentThread().getThreadGroup(), limit, input, call);
    }

    /** On a thread of this group, and with it all threads that are started there. */
    static <T> T call(ThreadGroup group, Duration limit, String input, Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(group, task, "contract kit: " + input);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            Throwable there = new Throwable("It waits here");
            there.setStackTrace(thread.getStackTrace());
            thread.interrupt();
            return fail(input + ": no answer within " + limit.toMillis() + " ms", there);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        }
    }

    /** For what declares less than {@link Throwable}. */
    static Exception rethrown(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof Exception exception ? exception : new IllegalStateException(thrown);
    }
}
