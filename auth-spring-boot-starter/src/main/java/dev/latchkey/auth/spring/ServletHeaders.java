package dev.latchkey.auth.spring;

import dev.latchkey.auth.HeaderFields;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;

/** The header fields of a servlet request. */
final class ServletHeaders {

    private ServletHeaders() {}

    static HeaderFields of(HttpServletRequest request) {
        return name -> Collections.list(request.getHeaders(name));
    }
}
