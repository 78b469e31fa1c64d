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
 * Makes each call on a separate thread, so that a call without an end fails its test and does not block the build.
 * JUnit's own time-out only interrupts the calling thread. A plugin may ignore the interruption.
 */
final class TimeLimit {

    /** The limit for calls without a time-out of their own. No plugin takes this long, even on a slow machine. */
    static final Duration USUAL = Duration.ofSeconds(30);

    /** The limit for many calls in a row. */
    static final Duration LONG = Duration.ofSeconds(90);

    private TimeLimit() {}

    /**
     * Returns the result of the call, or throws its exception. After the limit, fails with the stack of the waiting
     * thread.
     */
    static <T> T call(Duration limit, String input, Callable<T> call) throws Exception {
        return call(Thread.currentThread().getThreadGroup(), limit, input, call);
    }

    /** The same on a thread of this group. Threads that the call starts belong to this group too. */
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

    /** Prepares a throwable for code that declares only {@link Exception}. Throws an {@link Error} directly. */
    static Exception rethrown(@Nullable Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof Exception exception ? exception : new IllegalStateException(thrown);
    }
}
