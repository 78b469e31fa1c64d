package dev.latchkey.auth.spring;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The {@code WWW-Authenticate} field of a 401 (RFC 6750 section 3). */
enum BearerChallenge {
    /** No token was presented: the field says how to present one, and names no error. */
    PLAIN("Bearer"),
    /** A token was presented and is not good; which of its faults it was is for the log, not for the caller. */
    INVALID_TOKEN("Bearer error=\"invalid_token\"");

    private final String field;

    BearerChallenge(String field) {
        this.field = field;
    }

    void writeTo(HttpServletResponse response) throws IOException {
        response.setHeader("WWW-Authenticate", field);
        Problem.UNAUTHORIZED.writeTo(response);
    }

    String field() {
        return field;
    }
}
