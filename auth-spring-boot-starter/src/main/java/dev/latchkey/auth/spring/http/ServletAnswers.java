package dev.latchkey.auth.spring.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes an {@link Answer} to a servlet response. */
public final class ServletAnswers {

    private ServletAnswers() {}

    /**
     * Writes an answer.
     *
     * @param answer whose fields take the place of those of the same names
     * @param response of which nothing has been sent
     * @throws IOException if the client is not there any more
     */
    public static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (answer.body().length > 0) {
            // Without its length, which the server finds out: with it, a whole body is sent at once and cannot be held.
            response.getOutputStream().write(answer.body());
        }
    }
}
