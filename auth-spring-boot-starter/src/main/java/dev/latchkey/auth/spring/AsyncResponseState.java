package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response before its body: status and header fields, to be put back. */
final class AsyncResponseState {

    /** What {@code getCharacterEncoding} answers where none was set, and what need not be said. */
    private static final String UNSET_ENCODING = "ISO-8859-1";

    private final int status;
    private final Map<String, Collection<String>> fields = new LinkedHashMap<>();

    @Nullable
    private final String contentType;

    @Nullable
    private final String encoding;

    private AsyncResponseState(HttpServletResponse response) {
        status = response.getStatus();
        contentType = response.getContentType();
        encoding = response.getCharacterEncoding();
        response.getHeaderNames().forEach(name -> fields.put(name, new ArrayList<>(response.getHeaders(name))));
    }

    static AsyncResponseState of(HttpServletResponse response) {
        return new AsyncResponseState(response);
    }

    /** Makes the response what it was, unless it is on its way already. */
    void restore(HttpServletResponse response) {
        if (response.isCommitted()) {
            return;
        }
        response.reset();
        response.setStatus(status);
        if (contentType != null) {
            response.setContentType(contentType);
        }
        if (encoding != null && !encoding.equalsIgnoreCase(UNSET_ENCODING)) {
            response.setCharacterEncoding(encoding);
        }
        fields.forEach((name, values) -> List.copyOf(values).forEach(value -> response.addHeader(name, value)));
    }
}
