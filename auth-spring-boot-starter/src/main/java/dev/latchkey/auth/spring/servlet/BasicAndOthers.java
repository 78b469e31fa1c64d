package dev.latchkey.auth.spring.servlet;

import dev.latchkey.auth.spring.http.Challenges;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.function.Supplier;
import org.springframework.security.web.header.HeaderWriter;

/**
 * Adds the schemes of Latchkey to a response that asks for HTTP Basic, since the chain accepts both.
 *
 * <p>Spring Security writes header fields immediately before it sends the status, and {@code sendError} accepts none afterwards. So a filter behind the
 * entry point would come too late, and a wrapper of the response would cost every request.
 */
final class BasicAndOthers implements HeaderWriter {

    /** Marks the request of an endpoint: the endpoint names the scheme of its clients, which is HTTP Basic alone. */
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
