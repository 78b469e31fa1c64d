package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.engine.HeaderFields;
import java.util.ArrayList;
import java.util.List;
import org.springframework.web.server.ServerWebExchange;

/** The header fields of a reactive request, read by a method that is equal in Spring Framework 6 and 7. */
final class ReactiveFields {

    private ReactiveFields() {}

    static HeaderFields of(ServerWebExchange exchange) {
        return name -> {
            List<String> values = new ArrayList<>();
            exchange.getRequest().getHeaders().forEach((field, given) -> {
                if (field.equalsIgnoreCase(name)) {
                    values.addAll(given);
                }
            });
            return values;
        };
    }
}
