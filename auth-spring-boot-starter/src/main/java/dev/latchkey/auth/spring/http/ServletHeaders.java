package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.engine.HeaderFields;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.firewall.RequestRejectedException;

/** The header fields of a servlet request, and its client IP. */
public final class ServletHeaders {

    private static final String AUTHORIZATION = "Authorization";

    private ServletHeaders() {}

    /**
     * The header fields of a request, read on demand. {@code Authorization} is read once.
     *
     * @param request the request
     * @return valid during the request
     */
    public static HeaderFields of(HttpServletRequest request) {
        return new OfRequest(request);
    }

    /**
     * The request as the container received it, without the wrappers of filters.
     *
     * @param request possibly wrapped
     * @return the same request if nothing wraps it
     */
    public static HttpServletRequest received(HttpServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest received ? received : request;
    }

    /**
     * The client IP of a request. Without login limits, no trusted proxies are known here, and the address is the server's remote
     * address.
     *
     * @param request the request of the calling thread
     * @return empty behind a proxy outside the configuration
     */
    public static Optional<String> addressOf(HttpServletRequest request) {
        return CurrentRequest.hasSource()
                ? CurrentRequest.source().address()
                : Optional.ofNullable(request.getRemoteAddr());
    }

    /**
     * The values of a header field. If Spring's firewall rejects a value, the value is read without the firewall and counts as a
     * wrong credential. The message of the firewall's exception would contain the value.
     *
     * @param request the request
     * @param name of the field, in any case
     * @return unmodifiable
     */
    public static List<String> fieldsOf(HttpServletRequest request, String name) {
        try {
            return listed(request.getHeaders(name));
        } catch (RequestRejectedException e) {
            return listed(received(request).getHeaders(name));
        }
    }

    /** Optimized for no value or a single value: most fields have at most one value, and each request reads several fields. */
    private static List<String> listed(Enumeration<String> values) {
        if (!values.hasMoreElements()) {
            return List.of();
        }
        String first = values.nextElement();
        if (!values.hasMoreElements()) {
            return List.of(first);
        }
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(Collections.list(values));
        return List.copyOf(all);
    }

    /**
     * Several filters look for a token, and Spring's firewall checks each character at each read of a field. So the token's field
     * is read once, or once by each of two parallel threads.
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
            return ServletHeaders.fieldsOf(request, name);
        }
    }
}
