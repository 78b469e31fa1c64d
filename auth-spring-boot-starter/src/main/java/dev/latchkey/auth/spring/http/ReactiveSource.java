package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.CurrentLogin;
import dev.latchkey.auth.guard.login.Reservation;
import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;
import java.util.Optional;
import org.springframework.web.server.ServerWebExchange;
import reactor.util.context.ContextView;

/** The client IP of a reactive request. */
public final class ReactiveSource {

    /** The login that the limits have admitted, until its result is known. */
    public static final CurrentLogin.Part<Reservation> ADMITTED = new CurrentLogin.Part<>();

    private ReactiveSource() {}

    /**
     * The source of a request, from its connection and the headers of trusted proxies. An address that the server or Spring has
     * read from a header does not count.
     *
     * @param exchange the request
     * @param proxies the trusted proxies
     * @return unknown if there is no usable client IP
     */
    public static ClientSource of(ServerWebExchange exchange, TrustedProxies proxies) {
        ConnectionPeer peer = ConnectionPeer.of(exchange);
        return proxies.sourceOf(peer.address(), peer.headers());
    }

    /**
     * The client IP of a request. Without login limits, no trusted proxies are known here, and the address is the server's remote
     * address.
     *
     * @param exchange the request
     * @param context of the subscriber, with the source from the filter of the login limits
     * @return empty behind a proxy outside the configuration
     */
    public static Optional<String> addressOf(ServerWebExchange exchange, ContextView context) {
        CurrentLogin request = in(context);
        return CurrentRequest.hasSource(request)
                ? CurrentRequest.sourceOf(request).address()
                : Optional.ofNullable(
                        ConnectionPeer.textOf(exchange.getRequest().getRemoteAddress()));
    }

    /**
     * The request and the login in a subscriber's context.
     *
     * @param context of the subscriber
     * @return {@link CurrentLogin#NONE} if no filter has added a request
     */
    public static CurrentLogin in(ContextView context) {
        return context.<CurrentLogin>getOrEmpty(CurrentLogin.class).orElse(CurrentLogin.NONE);
    }
}
