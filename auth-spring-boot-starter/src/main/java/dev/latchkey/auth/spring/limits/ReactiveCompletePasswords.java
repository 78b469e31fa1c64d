package dev.latchkey.auth.spring.limits;

import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.RequestContext;
import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.spring.http.CurrentRequest;
import dev.latchkey.auth.spring.http.ReactiveSource;
import dev.latchkey.auth.spring.http.ReactiveWork;
import dev.latchkey.auth.spring.http.StepsAsked;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import reactor.core.publisher.Mono;

/**
 * Asks for the steps of a password login on WebFlux, as {@link PasswordLogins} does on servlets. A plugin may wait for what it asks, so it is asked on a thread that may.
 *
 * @param work used from the first login with a step
 */
record ReactiveCompletePasswords(ReactiveAuthenticationManager manager, MissingSteps steps, Supplier<ReactiveWork> work)
        implements ReactiveAuthenticationManager {

    @Override
    public Mono<Authentication> authenticate(Authentication request) {
        if (!(request instanceof UsernamePasswordAuthenticationToken)) {
            return manager.authenticate(request);
        }
        return Mono.deferContextual(context -> {
            CurrentLogin current = ReactiveSource.in(context);
            return StepsAsked.in(current) != null || !steps.mustCheck()
                    ? manager.authenticate(request)
                    : complete(request, current);
        });
    }

    private Mono<Authentication> complete(Authentication request, CurrentLogin current) {
        String named = request.getName();
        StepsAsked asked = new StepsAsked();
        return manager.authenticate(request)
                .contextWrite(within -> within.put(CurrentLogin.class, asked.within(current)))
                .flatMap(login -> login.isAuthenticated() && !asked.includes(login.getName())
                        ? required(login, named, CurrentRequest.contextOf(current))
                        : Mono.just(login));
    }

    private Mono<Authentication> required(Authentication login, String named, RequestContext request) {
        steps.requireOwnName(login);
        if (!steps.mayBeMissing()) {
            return Mono.just(login);
        }
        return work.get()
                .run(() -> steps.missingOf(login, named, request))
                .flatMap(missing -> missing.isEmpty() ? Mono.just(login) : refuse(missing, login));
    }

    private static Mono<Authentication> refuse(List<Challenged> missing, Authentication login) {
        return ReactiveSecurityContextHolder.getContext()
                .mapNotNull(SecurityContext::getAuthentication)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .map(current -> {
                    MissingSteps.refuse(missing, login, current.orElse(null));
                    return login;
                });
    }
}
