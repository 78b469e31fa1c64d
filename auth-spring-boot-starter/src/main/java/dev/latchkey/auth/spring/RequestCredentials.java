package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.BearerToken;
import dev.latchkey.auth.Credentials;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The credentials that a request carries in its header fields: a bearer token (RFC 6750 section 2.1), or a kind that a plugin
 * reads. Never from the URL or the body, whatever they hold.
 */
final class RequestCredentials {

    private static final String BEARER = "Bearer ";

    private RequestCredentials() {}

    static Optional<Credentials> of(HttpServletRequest request, AuthChain chain) {
        Optional<Credentials> bearer = bearerToken(request);
        return bearer.isPresent() ? bearer : chain.read(name -> values(request, name));
    }

    /**
     * The bearer token of the one {@code Authorization} field.
     *
     * <p>Of several fields none is taken: which one counts would depend on who reads them (RFC 9110 section 5.3).
     */
    static Optional<Credentials> bearerToken(HttpServletRequest request) {
        List<String> fields = values(request, "Authorization");
        if (fields.size() != 1 || !fields.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return Optional.empty();
        }
        return Optional.of(BearerToken.of(fields.get(0).substring(BEARER.length())));
    }

    private static List<String> values(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name));
    }
}
