package dev.latchkey.auth.spring.limits;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.ReactiveAuthenticationManagerResolver;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.util.ConcurrentReferenceHashMap;

/** As {@link ManagersOfFilters}, for WebFlux. Spring Security's filters have a resolver of managers. */
final class ReactiveManagersOfFilters {

    private final ManagerDecorator<ReactiveAuthenticationManager> decorator;

    /** One decoration for each manager of a resolver, because a decoration counts the parallel logins. */
    private final Map<ReactiveAuthenticationManager, ReactiveAuthenticationManager> decorated =
            new ConcurrentReferenceHashMap<>();

    ReactiveManagersOfFilters(ManagerDecorator<ReactiveAuthenticationManager> decorator) {
        this.decorator = decorator;
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // The class of resolvers has no type arguments.
    void decorate(SecurityWebFilterChain chain, String name) {
        var managers = new ManagerFields<>(ReactiveAuthenticationManager.class, decorator);
        var resolvers = new ManagerFields<ReactiveAuthenticationManagerResolver>(
                ReactiveAuthenticationManagerResolver.class,
                resolver -> request -> resolver.resolve(request)
                        .map(manager -> forPasswords((ReactiveAuthenticationManager) manager)));
        chain.getWebFilters()
                .doOnNext(filter -> {
                    managers.decorate(filter, name);
                    resolvers.decorate(filter, name);
                })
                .blockLast();
    }

    /** Most logins are tokens. Their managers need no decoration, and a resolver may make a manager for each token. */
    private ReactiveAuthenticationManager forPasswords(ReactiveAuthenticationManager manager) {
        return login -> login instanceof UsernamePasswordAuthenticationToken
                ? decorated.computeIfAbsent(manager, decorator::decorated).authenticate(login)
                : manager.authenticate(login);
    }

    /** For native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
            ManagerFields.register(hints, ReactiveAuthenticationManagerResolver.class, AuthenticationWebFilter.class);
        }
    }
}
