package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.ClientSource;
import dev.latchkey.auth.guard.HashDemand;
import dev.latchkey.auth.guard.LoginAttempt;
import dev.latchkey.auth.guard.LoginGuard;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Where passwords are hashed in a reactive service: past the guard, on its pool; without a guard, where Spring Security would.
 *
 * <p>Neither subscribing nor anything after it blocks. What follows goes on with the given scheduler, never on a thread of
 * the pool, which has the next hash to do.
 */
final class ReactiveHashing {

    private final @Nullable LoginGuard guard;

    ReactiveHashing(@Nullable LoginGuard guard) {
        this.guard = guard;
    }

    /**
     * Whether the check of a password says yes; counted by the limits of the account and of the request's source.
     *
     * @param memoryBytes that the check allocates, see {@link HashingMemory}
     * @return fails with {@link AuthUnavailableException} where the limits or the pool refuse, or with what the check threw
     */
    Mono<Boolean> check(String account, long memoryBytes, Callable<Boolean> check, Scheduler after) {
        if (guard == null) {
            return Mono.fromCallable(check).subscribeOn(after);
        }
        return Mono.deferContextual(context -> {
                    ClientSource source =
                            context.<ClientSource>getOrEmpty(ClientSource.class).orElse(ClientSource.UNKNOWN);
                    LoginAttempt attempt = new LoginAttempt(account, source);
                    return Mono.fromFuture(guard.refusals()
                            .hold(guard.submit(attempt, memoryBytes, check, ReactiveHashing::resultOf), () -> {}));
                })
                .publishOn(after);
    }

    /** The result of a hash that is no check: it counts for no limit. */
    <T> Mono<T> compute(long memoryBytes, Callable<T> hash, Scheduler after) {
        if (guard == null) {
            return Mono.fromCallable(hash).subscribeOn(after);
        }
        return Mono.fromFuture(() -> guard.pool().<T>submit(HashDemand.ofMemory(memoryBytes), hash))
                .publishOn(after);
    }

    private static AttemptResult resultOf(boolean matched) {
        return matched ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
    }
}
