package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes refusals, and marks their requests for the filter that holds them. */
public final class ServletRefusals {

    private static final String REFUSED = ServletRefusals.class.getName();

    private ServletRefusals() {}

    public static void write(AuthUnavailableException refusal, ServletRequest request, HttpServletResponse response)
            throws IOException {
        mark(refusal, request);
        ServletAnswers.write(Answer.of(refusal), response);
    }

    /** Only what a client that comes back at once would add to: an outage is nobody's flood. */
    public static void mark(AuthUnavailableException refusal, ServletRequest request) {
        if (refusal.kind() != AuthUnavailableException.Kind.OUTAGE) {
            request.setAttribute(REFUSED, true);
        }
    }

    public static boolean isMarked(ServletRequest request) {
        return request.getAttribute(REFUSED) != null;
    }
}
