package dev.latchkey.auth.contract;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The failures of a {@link FaultyBackend}. */
enum Fault {
    REFUSES("refuses connections"),
    TAKES_NO_CONNECTION("lets connections wait"),
    SPEAKS_NO_HTTP("answers what is no HTTP"),
    HANGS("answers nothing until it is too late"),
    HANGS_IN_THE_BODY("begins an answer and does not end it") {
        @Override
        void answer(HttpExchange request) throws IOException {
            request.getResponseHeaders().set("Content-Type", "application/json");
            request.sendResponseHeaders(200, 1_000);
            request.getResponseBody().write('{');
            request.getResponseBody().flush();
        }
    },
    DROPS("ends the connection without an answer") {
        @Override
        void answer(HttpExchange request) {
            request.close();
        }
    },
    DROPS_IN_THE_BODY("ends the connection in the middle of an answer") {
        @Override
        void answer(HttpExchange request) throws IOException {
            HANGS_IN_THE_BODY.answer(request);
            request.close();
        }
    },
    ERROR("answers 500") {
        @Override
        void answer(HttpExchange request) throws IOException {
            send(request, 500, "application/json", "{\"error\":\"NullPointerException\"}");
        }
    },
    OVERLOADED("answers 503") {
        @Override
        void answer(HttpExchange request) throws IOException {
            send(request, 503, "text/plain", "");
        }
    },
    SAYS_NOTHING("answers 200 with an empty body") {
        @Override
        void answer(HttpExchange request) throws IOException {
            send(request, 200, "application/json", "");
        }
    },
    SAYS_NOISE("answers 200 with noise") {
        @Override
        void answer(HttpExchange request) throws IOException {
            send(request, 200, "application/json", "\0\u0001{\"\u00ff]}[");
        }
    },
    /** As captive portals and gateways do. */
    SAYS_A_PAGE("answers 200 with an HTML page") {
        @Override
        void answer(HttpExchange request) throws IOException {
            send(request, 200, "text/html", "<!DOCTYPE html><title>Welcome</title><p>Please sign in: ok, true");
        }
    },
    REDIRECTS("redirects to another server (302)"),
    REDIRECTS_AS_IT_IS("redirects to another server, with the method and the body (307)");

    private final String description;

    Fault(String description) {
        this.description = description;
    }

    /** Answers with the failure, if the failure is an answer. */
    void answer(HttpExchange request) throws IOException {
        throw new IllegalStateException(description + ": not a matter of the answer");
    }

    static void send(HttpExchange request, int status, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        request.getResponseHeaders().set("Content-Type", type);
        request.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        try (OutputStream out = request.getResponseBody()) {
            out.write(bytes);
        }
        request.close();
    }

    @Override
    public String toString() {
        return description;
    }
}
