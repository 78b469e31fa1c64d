package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.HeaderFields;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;
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
        return name -> values(exchange.getRequest().getHeaders(), name);
    }

    /** All values of a field, by a method common to Spring Framework 6 and 7. */
    private static List<String> values(HttpHeaders headers, String name) {
        List<String> values = new ArrayList<>();
        headers.forEach((each, given) -> {
            if (each.equalsIgnoreCase(name)) {
                values.addAll(given);
            }
        });
        return values;
    }
}
