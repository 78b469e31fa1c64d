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

    /**
     * Where a request comes from, by its connection and what trusted proxies have written.
     *
     * @param exchange whose request it is
     * @param proxies whose header is believed
     * @return unknown where nothing can be counted by
     */
    public static ClientSource of(ServerWebExchange exchange, TrustedProxies proxies) {
        return proxies.sourceOf(addressOf(exchange.getRequest().getRemoteAddress()), ReactiveHeaders.of(exchange));
    }

    /** It is unresolved where Spring has taken it from a header, as the service has told it to. */
    private static @Nullable String addressOf(@Nullable InetSocketAddress remote) {
        if (remote == null) {
            return null;
        }
        return remote.getAddress() == null
                ? remote.getHostString()
                : remote.getAddress().getHostAddress();
    }

    /**
     * The address that a request comes from. Without login limits nothing here knows of proxies, and it is what the server says.
     *
     * @param exchange whose request it is
     * @param context of the subscriber, where the filter of the login limits has put the source
     * @return empty behind a proxy that nobody configured
     */
    public static Optional<String> addressOf(ServerWebExchange exchange, ContextView context) {
        return context.hasKey(ClientSource.class)
                ? in(context).address()
                : Optional.ofNullable(addressOf(exchange.getRequest().getRemoteAddress()));
    }

    /**
     * The source of the request that a subscriber's context is about.
     *
     * @param context of the subscriber
     * @return unknown where no filter has put one there
     */
    public static ClientSource in(ContextView context) {
        return context.hasKey(ClientSource.class) ? context.get(ClientSource.class) : ClientSource.UNKNOWN;
    }
}
