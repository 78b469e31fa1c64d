package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;

/** The credentials in the header fields of a reactive request, by the rules of {@link RequestCredentials}. */
final class ReactiveHeaders {

    private static final String BEARER = "Bearer ";

    private ReactiveHeaders() {}

    /** A bearer token, or a kind that a plugin reads. */
    static Optional<Credentials> credentials(ServerWebExchange exchange, AuthChain plugins) {
        Optional<String> bearer = bearerText(exchange);
        return bearer.isPresent()
                ? bearer.map(BearerToken::of)
                : plugins.read(name -> values(exchange.getRequest().getHeaders(), name));
    }

    /** The bearer token of the one {@code Authorization} field; of several fields none is taken. */
    static Optional<String> bearerText(ServerWebExchange exchange) {
        List<String> fields = values(exchange.getRequest().getHeaders(), "Authorization");
        return fields.size() == 1 && fields.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? Optional.of(fields.get(0).substring(BEARER.length()))
                : Optional.empty();
    }

    /** All values of a field, asked for by a method that is the same in Spring Framework 6 and 7. */
    static List<String> values(HttpHeaders headers, String name) {
        List<String> values = new ArrayList<>();
        headers.forEach((each, given) -> {
            if (each.equalsIgnoreCase(name)) {
                values.addAll(given);
            }
        });
        return values;
    }
}
