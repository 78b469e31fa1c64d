package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Reads reactive requests and answers them. */
final class ReactiveExchanges {

    private ReactiveExchanges() {}

    /** The client IP of a request, from its connection and from the header of trusted proxies. */
    static ClientSource sourceOf(ServerWebExchange exchange, TrustedProxies proxies) {
        return proxies.sourceOf(addressOf(exchange.getRequest().getRemoteAddress()), name -> headerOf(exchange, name));
    }

    /** The address is unresolved if Spring has read the address from a header, by the service's configuration. */
    private static @Nullable String addressOf(@Nullable InetSocketAddress remote) {
        if (remote == null) {
            return null;
        }
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    /** All values of a header field, read by a method that is equal in Spring Framework 6 and 7. */
    private static List<String> headerOf(ServerWebExchange exchange, String name) {
        List<String> values = new ArrayList<>();
        exchange.getRequest().getHeaders().forEach((each, given) -> {
            if (each.equalsIgnoreCase(name)) {
                values.addAll(given);
            }
        });
        return values;
    }

    /**
     * Answers a refused request, on another thread than the request's.
     *
     * <p>Reactor Netty 1.3 may hold back a request until the previous request of the connection has ended. If the
     * previous request is answered before its hand-over is complete, Netty does not read the connection again, and the
     * client's next request is lost.
     */
    static Mono<Void> refuse(ServerWebExchange exchange, ThrottleRefusal refusal) {
        return Mono.defer(() -> write(refusal, exchange.getResponse())).subscribeOn(Schedulers.parallel());
    }

    private static Mono<Void> write(ThrottleRefusal refusal, ServerHttpResponse response) {
        byte[] body = refusal.body();
        response.setStatusCode(HttpStatusCode.valueOf(refusal.status()));
        refusal.headers().forEach(response.getHeaders()::set);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
