package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Writes the answers to rate-limited logins and to overload. Marks their requests for the filter that holds such
 * answers.
 */
public final class ServletRefusals {

    private static final String REFUSED = ServletRefusals.class.getName();

    private ServletRefusals() {}

    /**
     * Writes the answer to a failure, and {@link #mark marks} its request.
     *
     * @param refusal 429 or 503, by its kind
     * @param request the request
     * @param response without sent data
     * @throws IOException if the client has disconnected
     */
    public static void write(AuthUnavailableException refusal, ServletRequest request, HttpServletResponse response)
            throws IOException {
        mark(refusal, request);
        ServletAnswers.write(Answer.of(refusal), response);
    }

    /**
     * Marks a request for the filter that holds the answer. Answers to an outage are not held, because no client floods the
     * service then.
     *
     * @param refusal an outage marks nothing
     * @param request the request
     */
    public static void mark(AuthUnavailableException refusal, ServletRequest request) {
        if (refusal.kind() != AuthUnavailableException.Kind.OUTAGE) {
            request.setAttribute(REFUSED, true);
        }
    }

    /**
     * Whether the filter must hold the answer to a request.
     *
     * @param request a request with an answer
     * @return true after {@link #mark} for overload or a limit
     */
    public static boolean isMarked(ServletRequest request) {
        return request.getAttribute(REFUSED) != null;
    }
}
