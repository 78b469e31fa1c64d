package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.hashing.HashingPermits;
import dev.latchkey.auth.spring.password.HashingMemory;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Where passwords are hashed in a reactive service: when there is a permit, on one of as many threads as there are permits.
 *
 * <p>Neither subscribing nor anything after it blocks. What follows goes on where Spring Security's own managers go on, and never
 * on a thread that has the next hash to do. Safe for use by any number of threads.
 */
final class ReactiveHashing implements AutoCloseable {

    private static final int IDLE_SECONDS = 60;

    private final @Nullable HashingPermits permits;
    private final Scheduler threads;

    /** @param permits null for none: hashes are then computed where Spring Security computes them */
    ReactiveHashing(@Nullable HashingPermits permits) {
        this.permits = permits;
        this.threads = permits == null
                ? Schedulers.boundedElastic()
                : Schedulers.newBoundedElastic(
                        permits.settings().atOnce(), Integer.MAX_VALUE, "latchkey-hash", IDLE_SECONDS, true);
    }

    /**
     * The value of something that hashes.
     *
     * @param memoryBytes that it allocates, see {@link HashingMemory}
     * @return fails with {@link AuthUnavailableException} where there is no permit in time, or with what the hash threw
     */
    <T> Mono<T> compute(long memoryBytes, Callable<T> hash) {
        HashingPermits limited = permits;
        return limited == null
                ? Mono.fromCallable(hash).subscribeOn(threads)
                : Mono.fromFuture(() -> limited.<T>submit(memoryBytes, hash, threads::schedule))
                        .publishOn(Schedulers.boundedElastic());
    }

    @Override
    public void close() {
        if (permits != null) {
            threads.dispose();
        }
    }
}
