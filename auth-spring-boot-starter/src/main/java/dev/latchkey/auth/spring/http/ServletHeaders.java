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

    /**
     * The header fields of a request, looked up when they are asked for. {@code Authorization} alone stays what it was when it was first asked for.
     *
     * @param request that has them
     * @return good for as long as the request is
     */
    public static HeaderFields of(HttpServletRequest request) {
        return new OfRequest(request);
    }

    /**
     * The address that a request comes from. Without login limits nothing here knows of proxies, and it is what the server says.
     *
     * @param request on which the calling thread works
     * @return empty behind a proxy that nobody configured
     */
    public static Optional<String> addressOf(HttpServletRequest request) {
        return RequestSource.isBound()
                ? RequestSource.current().address()
                : Optional.ofNullable(request.getRemoteAddr());
    }

    /**
     * Several parts look for a token, and Spring's firewall checks each character of a field whenever it is read. So the field that has the token is
     * read once. Two threads that come at the same time read it each.
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
