package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.HeaderFields;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.ClassUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The peer of a request's connection, and the header fields that the peer sent.
 *
 * <p>{@code server.forward-headers-strategy} lets Reactor Netty, or Spring on any server, replace the address of a request by the
 * left-most address in a header field. Any client can write this address. Boot chooses {@code native} by itself on Kubernetes.
 * Login limits therefore read the connection itself, and trusted proxies decide about the header fields.
 */
final class ConnectionPeer {

    private static final boolean MAY_BE_NETTY =
            ClassUtils.isPresent("reactor.netty.http.server.HttpServerRequest", ConnectionPeer.class.getClassLoader());

    private static final boolean MAY_BE_SERVLET =
            ClassUtils.isPresent("jakarta.servlet.http.HttpServletRequest", ConnectionPeer.class.getClassLoader());

    private final @Nullable String address;
    private final HeaderFields headers;

    private ConnectionPeer(@Nullable String address, HeaderFields headers) {
        this.address = address;
        this.headers = headers;
    }

    /** Null without an address, for example with a Unix socket. */
    @Nullable
    String address() {
        return address;
    }

    HeaderFields headers() {
        return headers;
    }

    static ConnectionPeer of(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        Object server = nativeOf(request);
        if (MAY_BE_NETTY && server instanceof HttpServerRequest received) {
            return OnNetty.peerOf(received);
        }
        if (MAY_BE_SERVLET && server instanceof HttpServletRequest received) {
            return OnServlet.peerOf(received);
        }
        return new ConnectionPeer(textOf(request.getRemoteAddress()), ReactiveHeaders.of(exchange));
    }

    private static @Nullable Object nativeOf(ServerHttpRequest request) {
        try {
            return ServerHttpRequestDecorator.getNativeRequest(request);
        } catch (IllegalStateException | IllegalArgumentException e) {
            // A request of a test, or of a server that Spring does not know.
            return null;
        }
    }

    static @Nullable String textOf(@Nullable SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress remote)) {
            return null;
        }
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    /** Separate, since the classes of servlets may be missing. */
    private static final class OnServlet {

        static ConnectionPeer peerOf(HttpServletRequest received) {
            return new ConnectionPeer(received.getRemoteAddr(), ServletHeaders.of(received));
        }
    }

    /** Separate, since the classes of Netty may be missing. */
    private static final class OnNetty {

        static ConnectionPeer peerOf(HttpServerRequest received) {
            return new ConnectionPeer(
                    textOf(received.connectionRemoteAddress()),
                    name -> List.copyOf(received.requestHeaders().getAll(name)));
        }
    }
}
