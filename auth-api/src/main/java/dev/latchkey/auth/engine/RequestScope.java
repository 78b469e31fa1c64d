package dev.latchkey.auth.engine;

import java.util.concurrent.Callable;

/**
 * Lets a thread work for a request that another thread took, so that login limits know where the request comes from.
 *
 * <p>In a WebFlux service with login limits the Reactor context of a request has one, under this class. Code that asks an {@link AuthChain} on a thread of its
 * own choosing does it within:
 *
 * <pre>{@code
 * Mono.deferContextual(context -> {
 *     RequestScope request = context.hasKey(RequestScope.class) ? context.get(RequestScope.class) : RequestScope.NONE;
 *     return Mono.fromCallable(() -> request.call(() -> chain.authenticate(login)));
 * }).subscribeOn(Schedulers.boundedElastic())
 * }</pre>
 *
 * <p>Safe for use by any number of threads.
 */
public interface RequestScope {

    /** The scope of no request, which just does the work. */
    RequestScope NONE = new RequestScope() {
        @Override
        public <T> T call(Callable<? extends T> work) throws Exception {
            return work.call();
        }
    };

    /**
     * Does the work for the request, on the calling thread.
     *
     * @param <T> the type of the work's result
     * @param work is run once, within the scope
     * @return what the work returned
     * @throws Exception what the work throws
     */
    <T> T call(Callable<? extends T> work) throws Exception;
}
