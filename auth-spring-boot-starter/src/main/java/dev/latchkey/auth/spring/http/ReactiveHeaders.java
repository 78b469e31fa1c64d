package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.HeaderFields;
import org.springframework.web.server.ServerWebExchange;

/** The header fields of a reactive request. */
public final class ReactiveHeaders {

    private ReactiveHeaders() {}

    /**
     * The header fields of a request, read on demand.
     *
     * @param exchange the request
     * @return valid during the request
     */
    public static HeaderFields of(ServerWebExchange exchange) {
        // forEach is common to Spring Framework 6 and 7.
        return HeaderFields.of(exchange.getRequest().getHeaders()::forEach);
    }
}
