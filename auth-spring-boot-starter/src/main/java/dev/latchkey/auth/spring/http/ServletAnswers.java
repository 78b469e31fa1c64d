package dev.latchkey.auth.spring.http;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes an {@link Answer} to a servlet response. */
public final class ServletAnswers {

    private ServletAnswers() {}

    /**
     * Writes an answer.
     *
     * @param answer its fields replace fields of the same names
     * @param response without sent data
     * @throws IOException if the client has disconnected
     */
    public static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        answer.cookies().forEach(cookie -> response.addHeader("Set-Cookie", cookie));
        if (answer.body().length > 0) {
            // Without a length, because the server would send a complete body at once, and the answer could not be
            // held.
            response.getOutputStream().write(answer.body());
        }
    }
}
