package dev.latchkey.auth.spring.webflux;

import dev.latchkey.auth.spring.plugin.Subjects;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Takes away a login whose name is the name of another source's subject, as on servlets. */
record ReactiveForeignNameFilter(Subjects subjects) implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return ReactiveSecurityContextHolder.getContext()
                .map(context -> subjects.hasForeignName(context.getAuthentication()))
                .defaultIfEmpty(false)
                .flatMap(isForeign -> isForeign
                        ? chain.filter(exchange).contextWrite(ReactiveSecurityContextHolder.clearContext())
                        : chain.filter(exchange));
    }
}
