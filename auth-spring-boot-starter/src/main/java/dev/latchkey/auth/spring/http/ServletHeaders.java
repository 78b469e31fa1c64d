package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.HeaderFields;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The header fields of a servlet request, and its address. */
public final class ServletHeaders {

    private static final String AUTHORIZATION = "Authorization";

    private ServletHeaders() {}

    /** Those of this request, as they are; but for {@code Authorization}, which is as it was when it was first asked for. */
    public static HeaderFields of(HttpServletRequest request) {
        return new OfRequest(request);
    }

    /**
     * The address that the request comes from; empty behind a proxy that nobody configured. Without login limits nobody here knows of
     * proxies, and it is what the server says.
     */
    public static Optional<String> addressOf(HttpServletRequest request) {
        return RequestSource.isBound()
                ? RequestSource.current().address()
                : Optional.ofNullable(request.getRemoteAddr());
    }

    /**
     * Several look for a token, and Spring's firewall checks each character of a field anew each time that it is read. So the one that
     * has the token is read once; should two threads come at a time, each reads it.
     */
    private static final class OfRequest implements HeaderFields {

        private final HttpServletRequest request;
        private volatile @Nullable List<String> authorization;

        private OfRequest(HttpServletRequest request) {
            this.request = request;
        }

        @Override
        public List<String> values(String name) {
            if (!AUTHORIZATION.equalsIgnoreCase(name)) {
                return fieldsOf(name);
            }
            List<String> known = authorization;
            if (known == null) {
                known = fieldsOf(name);
                authorization = known;
            }
            return known;
        }

        private List<String> fieldsOf(String name) {
            return List.copyOf(Collections.list(request.getHeaders(name)));
        }
    }
}
