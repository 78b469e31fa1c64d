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
enum RequestCredentials {
    BEARER_OR_OF_PLUGINS {
        @Override
        Optional<Credentials> of(HttpServletRequest request, AuthChain chain) {
            Optional<Credentials> bearer = bearerToken(request);
            return bearer.isPresent() ? bearer : OF_PLUGINS.of(request, chain);
        }
    },
    OF_PLUGINS {
        @Override
        Optional<Credentials> of(HttpServletRequest request, AuthChain chain) {
            return chain.read(name -> fieldsOf(request, name));
        }
    };

    private static final String BEARER = "Bearer ";

    abstract Optional<Credentials> of(HttpServletRequest request, AuthChain chain);

    /**
     * The bearer token of the one {@code Authorization} field.
     *
     * <p>Of several fields none is taken: which one counts would depend on who reads them (RFC 9110 section 5.3).
     */
    static Optional<Credentials> bearerToken(HttpServletRequest request) {
        return bearerText(request).map(BearerToken::of);
    }

    /** The same as text. */
    static Optional<String> bearerText(HttpServletRequest request) {
        return hasBearerToken(request)
                ? Optional.of(fieldsOf(request, "Authorization").get(0).substring(BEARER.length()))
                : Optional.empty();
    }

    static boolean hasBearerToken(HttpServletRequest request) {
        List<String> fields = fieldsOf(request, "Authorization");
        return fields.size() == 1 && fields.get(0).regionMatches(true, 0, BEARER, 0, BEARER.length());
    }

    private static List<String> fieldsOf(HttpServletRequest request, String name) {
        return Collections.list(request.getHeaders(name));
    }
}
