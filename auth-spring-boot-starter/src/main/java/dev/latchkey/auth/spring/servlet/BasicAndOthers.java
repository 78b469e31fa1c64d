package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.http.Challenges;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.springframework.security.web.header.HeaderWriter;

/**
 * Adds Latchkey's authentication schemes to a response that asks for HTTP Basic, because the chain accepts both.
 *
 * <p>Spring Security writes header fields immediately before the status. After {@code sendError}, the response accepts
 * no header fields. So a filter after the entry point would be too late, and a wrapper of the response would be a cost
 * for every request.
 */
final class BasicAndOthers implements HeaderWriter {

    /** Marks the request of an endpoint. The endpoint itself names the only scheme of its clients: HTTP Basic. */
    static final String ANSWERED = BasicAndOthers.class.getName();

    private static final String FIELD = "WWW-Authenticate";

    private final Supplier<Challenges> challenges;

    BasicAndOthers(Supplier<Challenges> challenges) {
        this.challenges = challenges;
    }

    @Override
    public void writeHeaders(HttpServletRequest request, HttpServletResponse response) {
        String named = response.getHeader(FIELD);
        if (named != null && response.getHeaders(FIELD).size() == 1 && request.getAttribute(ANSWERED) == null) {
            challenges.get().besideBasic(named).ifPresent(others -> response.addHeader(FIELD, others));
        }
    }
}
