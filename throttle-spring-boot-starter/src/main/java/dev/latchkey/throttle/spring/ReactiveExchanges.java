package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;

/** Reads reactive requests and answers them. */
final class ReactiveExchanges {

    private static final boolean MAY_BE_NETTY = ClassUtils.isPresent(
            "reactor.netty.http.server.HttpServerRequest", ReactiveExchanges.class.getClassLoader());

    private static final boolean MAY_BE_SERVLET =
            ClassUtils.isPresent("jakarta.servlet.http.HttpServletRequest", ReactiveExchanges.class.getClassLoader());

    private ReactiveExchanges() {}

    /**
     * The client IP of a request, from its connection and from the header of trusted proxies. An address that Netty or
     * Spring has read from a header does not count: any client can write this address. On a servlet container, the address
     * of the container's own request counts.
     */
    static ClientSource sourceOf(ServerWebExchange exchange, TrustedProxies proxies) {
        ServerHttpRequest request = exchange.getRequest();
        Object server = nativeOf(request);
        if (MAY_BE_NETTY && server instanceof HttpServerRequest received) {
            return OnNetty.sourceOf(received, proxies);
        }
        if (MAY_BE_SERVLET && server instanceof HttpServletRequest received) {
            return OnServlet.sourceOf(received, proxies);
        }
        return proxies.sourceOf(addressOf(request.getRemoteAddress()), name -> headerOf(request, name));
    }

    private static @Nullable Object nativeOf(ServerHttpRequest request) {
        try {
            return ServerHttpRequestDecorator.getNativeRequest(request);
        } catch (IllegalStateException | IllegalArgumentException e) {
            // A request of a test, or of a server that Spring does not know.
            return null;
        }
    }

    private static @Nullable String addressOf(@Nullable SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress remote)) {
            return null;
        }
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    /** All values of a header field, read by a method that is equal in Spring Framework 6 and 7. */
    private static List<String> headerOf(ServerHttpRequest request, String name) {
        List<String> values = new ArrayList<>();
        request.getHeaders().forEach((each, given) -> {
            if (each.equalsIgnoreCase(name)) {
                values.addAll(given);
            }
        });
        return values;
    }

    /** Separate, since the classes of servlets may be missing. */
    private static final class OnServlet {

        static ClientSource sourceOf(HttpServletRequest received, TrustedProxies proxies) {
            return proxies.sourceOf(received.getRemoteAddr(), name -> Collections.list(received.getHeaders(name)));
        }
    }

    /** Separate, since the classes of Netty may be missing. */
    private static final class OnNetty {

        static ClientSource sourceOf(HttpServerRequest received, TrustedProxies proxies) {
            return proxies.sourceOf(
                    addressOf(received.connectionRemoteAddress()),
                    name -> List.copyOf(received.requestHeaders().getAll(name)));
        }
    }

    /**
     * Answers a refused request, on another thread than the thread of the request.
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
