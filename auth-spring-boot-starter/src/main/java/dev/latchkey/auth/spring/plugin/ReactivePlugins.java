package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.engine.AuthChain;
import dev.latchkey.auth.permission.Permission;
import dev.latchkey.auth.spring.http.ReactiveWork;
import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;

/**
 * Asks the chain of plugins for a reactive service, outside the event loop.
 *
 * <p>A plugin may block, so the call runs on a blocking thread. A token check without waiting runs on the calling thread, because
 * a switch of threads would cost more than the check. Safe for use by any number of threads.
 */
public final class ReactivePlugins {

    private final AuthChain plugins;
    private final ReactiveWork work;
    private final boolean tokensNeedNoWaiting;

    /**
     * For the plugins of a service.
     *
     * @param plugins all of them
     * @param work runs blocking calls
     * @param tokensNeedNoWaiting whether all plugins of the chain check bearer tokens without waiting
     */
    public ReactivePlugins(AuthChain plugins, ReactiveWork work, boolean tokensNeedNoWaiting) {
        this.plugins = plugins;
        this.work = work;
        this.tokensNeedNoWaiting = tokensNeedNoWaiting;
    }

    /**
     * The chain itself. Its calls block the calling thread.
     *
     * @return all plugins of the service
     */
    public AuthChain chain() {
        return plugins;
    }

    /**
     * Asks the plugins about credentials, once for each subscriber.
     *
     * @param credentials as presented
     * @param context the request of the credentials
     * @return the verdict; fails as {@link AuthChain#authenticate(Credentials, RequestContext)} throws, and with an overload if
     *     no thread is free
     */
    public Mono<Verdict> authenticate(Credentials credentials, RequestContext context) {
        Callable<Verdict> question = () -> plugins.authenticate(credentials, context);
        return credentials instanceof BearerToken && tokensNeedNoWaiting
                ? Mono.fromCallable(question)
                : work.run(question);
    }

    /**
     * Runs another blocking call, once for each subscriber.
     *
     * @param <T> the type of the answer
     * @param question called on a blocking thread
     * @return the answer; fails as the question throws, and with an overload if no thread is free
     */
    public <T> Mono<T> ask(Callable<T> question) {
        return work.run(question);
    }

    /**
     * Asks the plugins for a permission, once for each subscriber.
     *
     * @param subject asks for the permission
     * @param permission the permission
     * @return whether the permission is granted; fails as {@link AuthChain#authorize} throws, and with an overload if no thread
     *     is free
     */
    public Mono<Boolean> authorize(Subject subject, Permission permission) {
        return work.run(() -> plugins.authorize(subject, permission));
    }
}
