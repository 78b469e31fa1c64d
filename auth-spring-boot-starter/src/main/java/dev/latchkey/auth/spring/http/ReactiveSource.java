package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;
import reactor.util.context.ContextView;

/** Where a reactive request comes from. */
public final class ReactiveSource {

    private ReactiveSource() {}

    public static ClientSource of(ServerWebExchange exchange, TrustedProxies proxies) {
        return proxies.sourceOf(addressOf(exchange.getRequest().getRemoteAddress()), ReactiveHeaders.of(exchange));
    }

    /** Unresolved where Spring has taken it from a header, as the service has told it to. */
    private static @Nullable String addressOf(@Nullable InetSocketAddress remote) {
        if (remote == null) {
            return null;
        }
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    /**
     * The address that the request comes from; empty behind a proxy that nobody configured. Without login limits nobody here knows of
     * proxies, and it is what the server says.
     */
    public static Optional<String> addressOf(ServerWebExchange exchange, ContextView context) {
        return context.hasKey(ClientSource.class)
                ? in(context).address()
                : Optional.ofNullable(addressOf(exchange.getRequest().getRemoteAddress()));
    }

    /** Of the request that a subscriber's context is about. */
    public static ClientSource in(ContextView context) {
        return context.hasKey(ClientSource.class) ? context.get(ClientSource.class) : ClientSource.UNKNOWN;
    }
}
