package dev.latchkey.auth.spring.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The {@code WWW-Authenticate} field of a refusal, and the problem that goes with it (RFC 6750 section 3). */
public enum BearerChallenge {
    /** No token was presented: the field names no error, and a realm since the RFC asks for at least one parameter. */
    PLAIN("Bearer realm=\"Realm\"", Problem.UNAUTHORIZED),
    /** A token was presented and is not good; which of its faults it was is for the log, not for the caller. */
    INVALID_TOKEN("Bearer realm=\"Realm\", error=\"invalid_token\"", Problem.UNAUTHORIZED),
    /** The token is good, and its subject may not do this. */
    INSUFFICIENT_SCOPE("Bearer realm=\"Realm\", error=\"insufficient_scope\"", Problem.FORBIDDEN);

    private final String field;
    private final Problem problem;

    BearerChallenge(String field, Problem problem) {
        this.field = field;
        this.problem = problem;
    }

    /**
     * Writes the status, the field and the problem.
     *
     * @param response of which nothing has been sent
     * @throws IOException if the client is not there any more
     */
    public void writeTo(HttpServletResponse response) throws IOException {
        ServletAnswers.write(Answer.of(this), response);
    }

    /**
     * The challenge alone, for an answer that is made elsewhere.
     *
     * @return the value of {@code WWW-Authenticate}
     */
    public String field() {
        return field;
    }

    Problem problem() {
        return problem;
    }
}
