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

/** Reads a reactive request and answers it. */
final class ReactiveExchanges {

    private ReactiveExchanges() {}

    /** The client IP of a request, by its connection and by the header of trusted proxies. */
    static ClientSource sourceOf(ServerWebExchange exchange, TrustedProxies proxies) {
        return proxies.sourceOf(addressOf(exchange.getRequest().getRemoteAddress()), name -> headerOf(exchange, name));
    }

    /** Unresolved where Spring has taken the address from a header, as the service has told Spring to. */
    private static @Nullable String addressOf(@Nullable InetSocketAddress remote) {
        if (remote == null) {
            return null;
        }
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    /** All values of a header field, by a method that is the same in Spring Framework 6 and 7. */
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
     * Answers a refused request, on another thread than the one that brought the request.
     *
     * <p>Reactor Netty 1.3 may keep a request back until the one before it on its connection has ended. If that request is answered before it has been
     * handed over whole, nothing asks the connection for more, and the client's next request is never read.
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
