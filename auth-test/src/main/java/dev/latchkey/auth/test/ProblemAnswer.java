package dev.latchkey.auth.test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/**
 * An answer that may be a problem (RFC 9457), whatever client got it.
 *
 * @param status of HTTP
 * @param headers by their names, in any case
 * @param body as text
 */
public record ProblemAnswer(int status, Map<String, List<String>> headers, String body) {

    static final String MEDIA_TYPE = "application/problem+json";

    /**
     * Copies the fields.
     *
     * @param status of HTTP
     * @param headers by their names, in any case
     * @param body as text
     */
    public ProblemAnswer {
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> copy.put(name, List.copyOf(values)));
        headers = Collections.unmodifiableMap(copy);
    }

    static ProblemAnswer of(MockHttpServletResponse response) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : response.getHeaderNames()) {
            headers.put(name, response.getHeaders(name));
        }
        String body = new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
        return new ProblemAnswer(response.getStatus(), headers, body);
    }

    static ProblemAnswer of(EntityExchangeResult<byte[]> result) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        // Not as a map: header fields are one on one line of Spring, and none on the next.
        result.getResponseHeaders().forEach((name, values) -> headers.put(name, new ArrayList<>(values)));
        byte[] body = result.getResponseBody();
        String text = body == null ? "" : new String(body, StandardCharsets.UTF_8);
        return new ProblemAnswer(result.getStatus().value(), headers, text);
    }

    Optional<String> header(String name) {
        return headers.getOrDefault(name, List.of()).stream().findFirst();
    }

    boolean isProblem() {
        String type = header("Content-Type").orElse("");
        return (type.equals(MEDIA_TYPE) || type.startsWith(MEDIA_TYPE + ";"))
                && !members().isEmpty();
    }

    /** The members of the problem; none where the body is no JSON object. */
    Map<String, Object> members() {
        try {
            return JsonParserFactory.getJsonParser().parseMap(body);
        } catch (JsonParseException e) {
            return Map.of();
        }
    }

    /** Of a body that is no problem only its length: it may hold a token. */
    @Override
    public String toString() {
        return "status " + status + ", " + shown("Content-Type") + shown("WWW-Authenticate") + shown("Retry-After")
                + (isProblem() ? body : "a body of " + body.length() + " characters");
    }

    private String shown(String name) {
        return header(name).map(value -> name + " '" + value + "', ").orElse("");
    }
}
