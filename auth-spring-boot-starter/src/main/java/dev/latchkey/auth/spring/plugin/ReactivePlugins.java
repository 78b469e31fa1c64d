package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.spring.http.ReactiveWork;
import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;

/**
 * Asks the chain of plugins for a reactive service, without holding up an event loop.
 *
 * <p>A plugin may wait, so it is asked on a thread that may wait. A token that only processor time decides about is checked on the spot: to hand it
 * over would cost more than the check. Safe for use by any number of threads.
 */
public final class ReactivePlugins {

    private final AuthChain plugins;
    private final ReactiveWork work;
    private final boolean tokensNeedNoWaiting;

    /**
     * The plugins of a service.
     *
     * @param plugins all of them
     * @param work has the threads that may wait
     * @param tokensNeedNoWaiting whether no plugin of the chain waits for anything to decide about a bearer token
     */
    public ReactivePlugins(AuthChain plugins, ReactiveWork work, boolean tokensNeedNoWaiting) {
        this.plugins = plugins;
        this.work = work;
        this.tokensNeedNoWaiting = tokensNeedNoWaiting;
    }

    /**
     * The chain itself, whose answers hold up the thread that asks it.
     *
     * @return all plugins of the service
     */
    public AuthChain chain() {
        return plugins;
    }

    /**
     * Has the plugins decide about credentials, once for each subscriber.
     *
     * @param credentials as they were presented
     * @param context the request that they came with
     * @return the verdict; fails as {@link AuthChain#authenticate(Credentials, RequestContext)} throws, and with an overload where no thread is free
     */
    public Mono<Verdict> authenticate(Credentials credentials, RequestContext context) {
        Callable<Verdict> question = () -> plugins.authenticate(credentials, context);
        return credentials instanceof BearerToken && tokensNeedNoWaiting
                ? Mono.fromCallable(question)
                : work.run(question);
    }

    /**
     * Asks the plugins for a permission, once for each subscriber.
     *
     * @param subject who wants to do something
     * @param permission what it is
     * @return whether it is granted; fails as {@link AuthChain#authorize} throws, and with an overload where no thread is free
     */
    public Mono<Boolean> authorize(Subject subject, Permission permission) {
        return work.run(() -> plugins.authorize(subject, permission));
    }
}
