package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.HeaderFields;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;

/** The header fields of a servlet request. */
public final class ServletHeaders {

    private ServletHeaders() {}

    public static HeaderFields of(HttpServletRequest request) {
        return name -> Collections.list(request.getHeaders(name));
    }
}
