package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Verdict;
import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.ClientSource;
import dev.latchkey.auth.guard.LoginAttempt;
import dev.latchkey.auth.guard.LoginGuard;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Asks the chain of plugins for a reactive service, without holding up an event loop.
 *
 * <p>A plugin may block, so it is asked on a thread that may wait; a password, on the hashing pool past the limits. A token that
 * only processor time decides about is checked on the spot: to hand it over would cost more than the check.
 */
final class ReactivePlugins {

    private final AuthChain plugins;
    private final @Nullable LoginGuard guard;
    private final boolean tokensNeedNoWaiting;

    /** @param tokensNeedNoWaiting whether no plugin of the chain waits for anything to decide about a bearer token */
    ReactivePlugins(AuthChain plugins, @Nullable LoginGuard guard, boolean tokensNeedNoWaiting) {
        this.plugins = plugins;
        this.guard = guard;
        this.tokensNeedNoWaiting = tokensNeedNoWaiting;
    }

    AuthChain chain() {
        return plugins;
    }

    Mono<Verdict> authenticate(Credentials credentials) {
        if (credentials instanceof PasswordCredentials password) {
            return login(password, () -> plugins.authenticate(password), Authenticated.class::isInstance);
        }
        Mono<Verdict> verdict = Mono.fromCallable(() -> plugins.authenticate(credentials));
        return credentials instanceof BearerToken && tokensNeedNoWaiting
                ? verdict
                : verdict.subscribeOn(Schedulers.boundedElastic());
    }

    /**
     * Has a login decided past the guard.
     *
     * @param accepted whether what it gives means that the password was right
     */
    <T> Mono<T> login(PasswordCredentials credentials, Callable<T> login, Predicate<T> accepted) {
        LoginGuard limits = guard;
        if (limits == null) {
            return waiting(login);
        }
        return Mono.deferContextual(context -> {
                    ClientSource source =
                            context.<ClientSource>getOrEmpty(ClientSource.class).orElse(ClientSource.UNKNOWN);
                    return Mono.fromFuture(limits.<T>submit(
                            new LoginAttempt(credentials.username(), source),
                            0,
                            login,
                            result -> accepted.test(result) ? AttemptResult.SUCCEEDED : AttemptResult.FAILED));
                })
                .publishOn(Schedulers.boundedElastic());
    }

    /** Has something done on a thread that may wait. */
    <T> Mono<T> waiting(Callable<T> work) {
        return Mono.fromCallable(work).subscribeOn(Schedulers.boundedElastic());
    }
}
