package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.password.HashingMemory;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Computes password hashes in a reactive service: with a permit, on a thread for each permit.
 *
 * <p>Neither subscribing nor the operators block. The following operators run on the scheduler of Spring Security's own managers,
 * and never on a hashing thread. Safe for use by any number of threads.
 */
final class ReactiveHashing implements AutoCloseable {

    private static final int IDLE_SECONDS = 60;

    private final @Nullable HashingPermits permits;
    private final Scheduler threads;

    /**
     * @param permits null for none: hashes then run on the thread of Spring Security
     */
    ReactiveHashing(@Nullable HashingPermits permits) {
        this.permits = permits;
        this.threads = permits == null
                ? Schedulers.boundedElastic()
                : Schedulers.fromExecutorService(pool(permits.settings().atOnce()));
    }

    /** All threads have one queue. With a queue for each thread, a hash could wait behind a long hash despite its permit. */
    private static ExecutorService pool(int size) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size,
                size,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.of(ReactiveHashing.class, "latchkey-hash"));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * The result of a hashing call. The call runs with the {@link CurrentLogin} of the subscriber, so that an encoder knows the
     * client IP.
     *
     * @param memoryBytes the allocated memory, see {@link HashingMemory}
     * @return fails with {@link AuthUnavailableException} if there is no permit in time, or with the exception of the hash
     */
    <T> Mono<T> compute(long memoryBytes, Callable<T> hash) {
        HashingPermits limited = permits;
        return Mono.deferContextual(context -> {
            CurrentLogin current = ReactiveSource.in(context);
            Callable<T> within = () -> current.call(hash);
            if (limited == null) {
                return Mono.fromCallable(within).subscribeOn(threads);
            }
            Reservation login = current.get(ReactiveSource.ADMITTED);
            boolean leavesRoom = login != null && login.leavesRoom();
            return Mono.fromFuture(() -> limited.<T>submit(memoryBytes, leavesRoom, within, threads::schedule))
                    .publishOn(Schedulers.boundedElastic());
        });
    }

    @Override
    public void close() {
        if (permits != null) {
            threads.dispose();
        }
    }
}
