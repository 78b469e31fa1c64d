package dev.latchkey.nacos;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.auth.AuthUnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON answer in the server's form: a code, a message and data; or another body. */
record HttpAnswer(int status, Map<String, @Nullable Object> body, Map<String, String> fields) {

    private static final ObjectMapper JSON = new ObjectMapper();

    static HttpAnswer of(int status, int code, String message, @Nullable Object data) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("code", code);
        body.put("message", message);
        body.put("data", data);
        return new HttpAnswer(status, body, Map.of());
    }

    static HttpAnswer failure(int status, String message) {
        return of(status, status, message, null);
    }

    static HttpAnswer of(AuthUnavailableException why) {
        Refusal refusal = Refusal.of(why);
        HttpAnswer failure = failure(refusal.status(), refusal.message());
        return new HttpAnswer(failure.status(), failure.body(), Map.of("Retry-After", refusal.retryAfter()));
    }

    /**
     * Writes the answer into the response's buffer, without a length: with a length, the container would send the
     * answer after the last byte, and a hold would be impossible.
     */
    void write(HttpServletResponse response) throws IOException {
        byte[] bytes = JSON.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        fields.forEach(response::setHeader);
        response.setHeader("Cache-Control", "no-store");
        response.setContentType("application/json");
        response.getOutputStream().write(bytes);
    }
}
