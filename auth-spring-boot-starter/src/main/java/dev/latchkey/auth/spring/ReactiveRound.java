package dev.latchkey.auth.spring;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One piece of work that gives its thread back while a hash is computed, as {@link GuardedFilter} does on servlets.
 *
 * <p>Where the work comes to a hash its pass ends ({@link HashingNeeded}), and the pool is asked. With the answer the work is done
 * again from its beginning, and finds it where it needed the hash. So a store is asked twice for a login that costs a hash.
 *
 * <p>Whoever waits for it may go away at any time, on any thread, while a pass is under way. Then the limits are told that
 * the login is over by whoever comes last: the one who goes, or the pass.
 */
final class ReactiveRound<T> {

    private enum State {
        BETWEEN_PASSES,
        IN_A_PASS,
        OVER
    }

    /** The result, or the hash that is to be waited for. */
    private record Pass<T>(@Nullable T result, @Nullable CompletableFuture<?> hash) {}

    private final AtomicReference<State> state = new AtomicReference<>(State.BETWEEN_PASSES);
    private final GuardedRequest request;
    private final Callable<T> work;

    ReactiveRound(GuardedRequest request, Callable<T> work) {
        this.request = request;
        this.work = work;
    }

    /** To be subscribed to once. */
    Mono<T> on(ReactiveWork threads) {
        return passes(threads).doFinally(end -> giveUp());
    }

    private Mono<T> passes(ReactiveWork threads) {
        return threads.<Pass<T>>onAThread(this::pass).flatMap(pass -> {
            CompletableFuture<?> hash = pass.hash();
            return hash == null ? Mono.justOrEmpty(pass.result()) : done(hash).then(Mono.defer(() -> passes(threads)));
        });
    }

    /** However it ends: if it failed, the next pass finds that out where it needs the hash. */
    private static Mono<?> done(CompletableFuture<?> hash) {
        return Mono.fromFuture(hash).onErrorComplete();
    }

    private Pass<T> pass() throws Exception {
        if (!state.compareAndSet(State.BETWEEN_PASSES, State.IN_A_PASS)) {
            return new Pass<>(null, null);
        }
        GuardedRequest outer = GuardedRequest.bind(request);
        CompletableFuture<?> hash = null;
        try {
            request.enter(() -> true);
            return new Pass<>(work.call(), null);
        } catch (HashingNeeded needed) {
            hash = begin(needed);
            request.keep(needed.key(), hash);
            return new Pass<>(null, hash);
        } finally {
            GuardedRequest.bind(outer);
            // The last pass tells the limits before anybody learns the answer.
            if (hash == null || !state.compareAndSet(State.IN_A_PASS, State.BETWEEN_PASSES)) {
                state.set(State.OVER);
                end(hash);
            }
        }
    }

    private static CompletableFuture<?> begin(HashingNeeded needed) {
        try {
            return needed.begin();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A pass that is under way sees it when it ends. */
    private void giveUp() {
        if (state.getAndSet(State.OVER) == State.BETWEEN_PASSES) {
            end(null);
        }
    }

    private void end(@Nullable CompletableFuture<?> hash) {
        if (hash != null) {
            hash.cancel(false);
        }
        request.close();
    }
}
