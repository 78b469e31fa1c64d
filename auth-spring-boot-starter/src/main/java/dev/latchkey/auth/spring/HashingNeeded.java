package dev.latchkey.auth.spring;

import dev.latchkey.auth.Postponement;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Ends a pass of a request through a login filter, because what comes next is a hash; the request comes again with the answer.
 *
 * <p>An {@link Error}, which it is not, so that nothing between the encoder and {@link GuardedFilter} takes it for a failed
 * login: Spring Security and careful services catch exceptions, and turn them into refusals. Never leaves that filter.
 */
@SuppressWarnings("serial") // never leaves its thread
final class HashingNeeded extends Error implements Postponement {

    private final transient HashingKey key;
    private final transient Supplier<? extends CompletableFuture<?>> work;

    HashingNeeded(HashingKey key, Supplier<? extends CompletableFuture<?>> work) {
        super("A hash has to be computed before this request can go on", null, false, false);
        this.key = key;
        this.work = work;
    }

    HashingKey key() {
        return key;
    }

    /** Has the work begun, not by this thread. */
    CompletableFuture<?> begin() {
        return work.get();
    }
}
