package dev.latchkey.auth.spring.limits;

import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.ReactiveAuthenticationManagerResolver;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.util.ConcurrentReferenceHashMap;
import reactor.core.publisher.Mono;

/** As {@link ManagersOfFilters}, for WebFlux. Spring Security's filters have a resolver of managers. */
record ReactiveManagersOfFilters(UnaryOperator<ReactiveAuthenticationManager> decorator) {

    @SuppressWarnings({"rawtypes", "unchecked"}) // The class of resolvers has no type arguments.
    void decorate(SecurityWebFilterChain chain, String name) {
        var managers = new ManagerFields<>(ReactiveAuthenticationManager.class, decorator);
        var resolvers = new ManagerFields<ReactiveAuthenticationManagerResolver>(
                ReactiveAuthenticationManagerResolver.class,
                resolver -> resolver instanceof Resolver ? resolver : new Resolver<>(resolver, decorator));
        // No block: a lazy service makes its chains in the first request, on an event loop.
        chain.getWebFilters().subscribe(filter -> {
            managers.decorate(filter, name);
            resolvers.decorate(filter, name);
        });
    }

    private static final class Resolver<C> implements ReactiveAuthenticationManagerResolver<C> {

        private final ReactiveAuthenticationManagerResolver<C> resolver;
        private final UnaryOperator<ReactiveAuthenticationManager> decorator;

        /** One decoration for each manager, because a decoration counts the parallel logins. */
        private final Map<ReactiveAuthenticationManager, ReactiveAuthenticationManager> decorated =
                new ConcurrentReferenceHashMap<>();

        Resolver(
                ReactiveAuthenticationManagerResolver<C> resolver,
                UnaryOperator<ReactiveAuthenticationManager> decorator) {
            this.resolver = resolver;
            this.decorator = decorator;
        }

        @Override
        public Mono<ReactiveAuthenticationManager> resolve(C request) {
            return resolver.resolve(request).map(this::forPasswords);
        }

        /** Most logins are tokens. Their managers need no decoration, and a resolver may make a manager for each token. */
        private ReactiveAuthenticationManager forPasswords(ReactiveAuthenticationManager manager) {
            return login -> login instanceof UsernamePasswordAuthenticationToken
                    ? decorated.computeIfAbsent(manager, decorator).authenticate(login)
                    : manager.authenticate(login);
        }
    }

    /** For native images. */
    static final class Hints implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classes) {
            ManagerFields.register(hints, ReactiveAuthenticationManagerResolver.class, AuthenticationWebFilter.class);
        }
    }
}
