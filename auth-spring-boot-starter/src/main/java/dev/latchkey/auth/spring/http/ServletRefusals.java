package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes refusals, and marks their requests for the filter that holds them. */
public final class ServletRefusals {

    private static final String REFUSED = ServletRefusals.class.getName();

    private ServletRefusals() {}

    /**
     * Writes a refusal, and {@link #mark marks} its request.
     *
     * @param refusal 429 or 503, by its kind
     * @param request that is refused
     * @param response of which nothing has been sent
     * @throws IOException if the client is not there any more
     */
    public static void write(AuthUnavailableException refusal, ServletRequest request, HttpServletResponse response)
            throws IOException {
        mark(refusal, request);
        ServletAnswers.write(Answer.of(refusal), response);
    }

    /**
     * Marks a request whose refusal is to be held, for the filter that does so. Only what a client that comes back at once would add to is held: an
     * outage is nobody's flood.
     *
     * @param refusal of which an outage marks nothing
     * @param request that is refused
     */
    public static void mark(AuthUnavailableException refusal, ServletRequest request) {
        if (refusal.kind() != AuthUnavailableException.Kind.OUTAGE) {
            request.setAttribute(REFUSED, true);
        }
    }

    /**
     * Whether the answer to a request is to be held.
     *
     * @param request that has been answered
     * @return true after {@link #mark} for overload or a limit
     */
    public static boolean isMarked(ServletRequest request) {
        return request.getAttribute(REFUSED) != null;
    }
}
