package dev.latchkey.plugins.codes.spring;

import dev.latchkey.plugins.codes.OneTimeCodes;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Refuses what {@link PasswordAlone} names, in a WebFlux service; the store, which blocks, is asked on a thread that may. */
final class ReactivePasswordAloneFilter implements WebFilter, Ordered {

    private final OneTimeCodes codes;

    ReactivePasswordAloneFilter(OneTimeCodes codes) {
        this.codes = codes;
    }

    @Override
    public int getOrder() {
        return PasswordAlone.AFTER_SECURITY;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return ReactiveSecurityContextHolder.getContext()
                .mapNotNull(SecurityContext::getAuthentication)
                .filter(PasswordAlone::isByPassword)
                .flatMap(login -> Mono.fromCallable(() -> codes.isEnrolled(login.getName()))
                        .subscribeOn(Schedulers.boundedElastic())
                        .publishOn(Schedulers.parallel()))
                .defaultIfEmpty(false)
                .flatMap(isRefused -> isRefused ? refuse(exchange) : chain.filter(exchange));
    }

    private static Mono<Void> refuse(ServerWebExchange exchange) {
        exchange.getResponse().setStatusCode(HttpStatus.UNAUTHORIZED);
        exchange.getResponse().getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, PasswordAlone.CHALLENGE);
        return exchange.getResponse().setComplete();
    }
}
