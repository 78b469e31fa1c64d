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
 * Runs blocking work and password hashes for a reactive service, outside the event loop. A controller calls {@code AuthChain}, {@code TokenIssuer}
 * and other blocking methods by this bean.
 *
 * <p>The threads are separate from the threads that the whole service shares. Otherwise logins could take the threads of other
 * requests, and the last login might wait for a store that needs such a thread.
 *
 * <p>Safe for use by any number of threads. After {@link #close} work is rejected as an overload.
 */
public final class ReactiveWork implements AutoCloseable {

    /** Twice the maximum of a single plugin: a plugin with a hanging backend leaves the same number of threads to the rest. */
    public static final int THREADS = 128;

    /** The queue for all threads. With a queue for each thread, work would wait behind a hanging backend beside free threads. */
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
     * Runs the work on a thread that may wait, with the subscriber's {@link CurrentLogin} and Reactor context. The next operators run on a thread that
     * must not wait.
     *
     * @param <T> the type of the work's result
     * @param work called once for each subscriber; a cancellation does not interrupt the work
     * @return empty if the work returns null. Fails with {@link AuthUnavailableException} if the limits, the permits or the threads refuse the work,
     *     and with the work's exception otherwise
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
     * The Reactor context of the request that the calling thread works for, with the {@link CurrentLogin} of the thread. A reactive store may keep its
     * tenant there.
     *
     * @return no entry of a request on a thread without a {@link CurrentLogin} of one
     */
    public static ContextView contextHere() {
        CurrentLogin login = CurrentLogin.here();
        Context known = login.get(CurrentLogin.SUBSCRIBER) instanceof ContextView subscriber
                ? Context.of(subscriber)
                : Context.empty();
        return known.put(CurrentLogin.class, login);
    }

    /** Work of a request whose client IP is not known still belongs to a request, which must not wait for long. */
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
