package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.password.HashingMemory;
import java.util.concurrent.Callable;
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
                : Schedulers.newBoundedElastic(
                        permits.settings().atOnce(), Integer.MAX_VALUE, "latchkey-hash", IDLE_SECONDS, true);
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
