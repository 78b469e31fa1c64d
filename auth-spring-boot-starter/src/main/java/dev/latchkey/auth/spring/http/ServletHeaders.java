package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.HeaderFields;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Optional;

/** The header fields of a servlet request, and its address. */
public final class ServletHeaders {

    private ServletHeaders() {}

    public static HeaderFields of(HttpServletRequest request) {
        return name -> Collections.list(request.getHeaders(name));
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
}
