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
 * An answer that may be a problem (RFC 9457), from any client.
 *
 * @param status the HTTP status
 * @param headers the header fields by name, in any case
 * @param body the body as text
 */
public record ProblemAnswer(int status, Map<String, List<String>> headers, String body) {

    static final String MEDIA_TYPE = "application/problem+json";

    /**
     * Copies the fields.
     *
     * @param status the HTTP status
     * @param headers the header fields by name, in any case
     * @param body the body as text
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
        // Copied field by field: Spring's header fields are a map in some versions only.
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

    /** The members of the problem; empty if the body is not a JSON object. */
    Map<String, Object> members() {
        try {
            return JsonParserFactory.getJsonParser().parseMap(body);
        } catch (JsonParseException e) {
            return Map.of();
        }
    }

    /** For a body that is not a problem, prints only the length: the body may contain a token. */
    @Override
    public String toString() {
        return "status " + status + ", " + shown("Content-Type") + shown("WWW-Authenticate") + shown("Retry-After")
                + (isProblem() ? body : "a body of " + body.length() + " characters");
    }

    private String shown(String name) {
        return header(name).map(value -> name + " '" + value + "', ").orElse("");
    }
}
