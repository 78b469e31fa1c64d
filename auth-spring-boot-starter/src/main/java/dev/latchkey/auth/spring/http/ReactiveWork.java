package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.source.ClientSource;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Runs blocking work and password hashes for a reactive service, outside the event loop. A controller calls {@code AuthChain},
 * {@code TokenIssuer} and other blocking methods with this bean.
 *
 * <p>These threads are separate from the shared threads of the service. Otherwise logins could take all shared threads from other
 * requests. The last login might then wait for a store that needs a shared thread.
 *
 * <p>Safe for use by any number of threads. After {@link #close} work is rejected as an overload.
 */
public final class ReactiveWork implements AutoCloseable {

    /** Twice the maximum of a single plugin: a plugin with a hanging backend leaves the same number of threads to the rest. */
    public static final int THREADS = 128;

    /**
     * The length of the queue for all threads. With a queue for each thread, work could wait behind a hanging backend while other
     * threads are free.
     */
    private static final int WAITING = 10_000;

    private static final int IDLE_SECONDS = 60;
    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final Scheduler threads = Schedulers.fromExecutorService(pool());

    private static ExecutorService pool() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING),
                DaemonThreads.of(ReactiveWork.class, "latchkey-wait"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Runs the work on a thread that may block, with the subscriber's {@link CurrentLogin} and Reactor context. The next
     * operators run on a thread that must not block.
     *
     * @param <T> the type of the work's result
     * @param work called once for each subscriber; a cancellation does not interrupt the work
     * @return the result; empty if the work returns null. Fails with {@link AuthUnavailableException} if the limits, the permits
     *     or the threads reject the work, otherwise with the work's exception
     */
    public <T> Mono<T> run(Callable<T> work) {
        return Mono.<T>deferContextual(context -> {
                    CurrentLogin login = requestIn(context);
                    return onAThread(
                            () -> login.with(CurrentLogin.SUBSCRIBER, context).call(work));
                })
                .publishOn(Schedulers.parallel());
    }

    /**
     * The Reactor context of the calling thread's request, with the {@link CurrentLogin} of the thread. A reactive store may read
     * its tenant from this context.
     *
     * @return a context with only the {@link CurrentLogin}, on a thread without a reactive request
     */
    public static ContextView contextHere() {
        CurrentLogin login = CurrentLogin.here();
        Context known = login.get(CurrentLogin.SUBSCRIBER) instanceof ContextView subscriber
                ? Context.of(subscriber)
                : Context.empty();
        return known.put(CurrentLogin.class, login);
    }

    /**
     * The request and the login of the subscriber. Work with an unknown client IP still belongs to a request, and a request must
     * not wait for long.
     */
    private static CurrentLogin requestIn(ContextView context) {
        CurrentLogin login = ReactiveSource.in(context);
        return CurrentRequest.hasSource(login) ? login : CurrentRequest.from(() -> ClientSource.UNKNOWN, login);
    }

    /** A cancellation does not interrupt the work, because an interrupted store looks like an outage. */
    private <T> Mono<T> onAThread(Callable<? extends T> work) {
        return Mono.create(sink -> {
            try {
                threads.schedule(() -> {
                    T result;
                    try {
                        result = work.call();
                    } catch (Throwable e) { // every failure must reach the subscriber
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
