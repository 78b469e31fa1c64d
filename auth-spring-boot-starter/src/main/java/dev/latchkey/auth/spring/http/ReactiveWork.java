package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Runs work that may wait, or that may compute a password's hash, for a reactive service, whose event loop it must not hold up.
 *
 * <p>It has threads of its own, and does not take those that all of a service shares. Else logins could take the threads that other requests wait
 * for, and the last of them might wait for a store that needs one of them to answer.
 *
 * <p>Safe for use by any number of threads. After {@link #close} work is refused as an overload.
 */
public final class ReactiveWork implements AutoCloseable {

    /** Twice what one plugin may have at a time: one whose backend hangs leaves as many for the others. */
    private static final int THREADS = 128;

    /** How much work may wait for one thread. */
    private static final int WAITING = 1_000;

    private static final int IDLE_SECONDS = 60;
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final Scheduler threads =
            Schedulers.newBoundedElastic(THREADS, WAITING, "latchkey-wait", IDLE_SECONDS, true);

    /**
     * Runs the work on a thread that may wait, with the request's source bound to it ({@link RequestSource}). What follows goes on with a thread that
     * must not wait.
     *
     * @param <T> what the work comes to
     * @param work called once for each subscriber; who cancels does not interrupt it
     * @return empty where the work answers null. It fails with {@link AuthUnavailableException} where the limits, the permits or the threads refuse,
     *     or with what the work threw
     */
    public <T> Mono<T> run(Callable<T> work) {
        return Mono.<T>deferContextual(context -> {
                    ClientSource source = ReactiveSource.in(context);
                    return onAThread(() -> RequestSource.call(source, work));
                })
                .publishOn(Schedulers.parallel());
    }

    /** Cancelling does not interrupt the work: a store that is interrupted looks like one that is down. */
    private <T> Mono<T> onAThread(Callable<? extends T> work) {
        return Mono.create(sink -> {
            try {
                threads.schedule(() -> {
                    T result;
                    try {
                        result = work.call();
                    } catch (Throwable e) { // whatever it is, somebody waits for it
                        sink.error(e);
                        return;
                    }
                    sink.success(result);
                });
            } catch (RejectedExecutionException e) {
                sink.error(AuthUnavailableException.overload("Too many requests wait for a thread", A_MOMENT));
            }
        });
    }

    @Override
    public void close() {
        threads.dispose();
    }
}
