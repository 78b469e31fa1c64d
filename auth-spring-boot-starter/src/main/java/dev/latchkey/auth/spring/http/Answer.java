package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The answer to a request, the same on servlets and on WebFlux. No record, because a record prints its components, and a body may
 * contain tokens. Immutable.
 */
public final class Answer {

    private final int status;
    private final Map<String, String> headers;
    private final List<String> cookies;
    private final byte[] body;

    private Answer(int status, Map<String, String> headers, List<String> cookies, byte[] body) {
        this.status = status;
        this.headers = Collections.unmodifiableMap(headers);
        this.cookies = cookies;
        this.body = body;
    }

    /**
     * An answer without a body.
     *
     * @param status of HTTP, such as 204
     * @return without header fields; {@link #with} adds fields
     */
    public static Answer of(int status) {
        return new Answer(status, Map.of(), List.of(), new byte[0]);
    }

    /**
     * A problem as an answer.
     *
     * @param problem the status and the text
     * @return of the type {@code application/problem+json}, with caches forbidden
     */
    public static Answer of(Problem problem) {
        return ofProblem(problem.status(), problem.body());
    }

    /**
     * A problem as an answer, with additional members.
     *
     * @param problem the status and the text
     * @param members in JSON and in ASCII, each after a comma
     * @return of the type {@code application/problem+json}, with caches forbidden
     */
    public static Answer of(Problem problem, String members) {
        return ofProblem(problem.status(), problem.bodyWith(members));
    }

    /**
     * An answer for a problem outside {@link Problem}.
     *
     * @param status of HTTP, the same as in the body
     * @param body JSON in the form of RFC 9457, in ASCII
     * @return of the type {@code application/problem+json}, with caches forbidden
     */
    public static Answer ofProblem(int status, String body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/problem+json");
        headers.put("Cache-Control", "no-store");
        return new Answer(status, headers, List.of(), body.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * The rejection of a request without a token, or with an invalid or insufficient token.
     *
     * @param challenge the kind of rejection
     * @return 401 or 403, with the field {@code WWW-Authenticate}
     */
    public static Answer of(BearerChallenge challenge) {
        return of(challenge.problem()).with("WWW-Authenticate", challenge.field());
    }

    /**
     * The answer without a decision: 503 for an outage and for overload, 429 for a rate-limited client.
     *
     * @param cause the kind of failure, and the time of the next attempt
     * @return with {@code Retry-After} in seconds; 429 with {@code RateLimit} too
     */
    public static Answer of(AuthUnavailableException cause) {
        Answer answer = of(Problem.of(cause)).with(RateLimitFields.RETRY_AFTER, Problem.retryAfter(cause));
        return cause.kind() == AuthUnavailableException.Kind.THROTTLED
                ? answer.with(RateLimitFields.RATE_LIMIT, Problem.rateLimit(cause))
                : answer;
    }

    /**
     * The answer to an exception.
     *
     * @param failure any exception
     * @param log gets all failures except outages and limits
     * @return 503 or 429 for an {@link AuthUnavailableException}, 500 for all other exceptions
     */
    public static Answer ofFailure(Throwable failure, Consumer<Throwable> log) {
        if (failure instanceof AuthUnavailableException unavailable) {
            return of(unavailable);
        }
        log.accept(failure);
        return of(Problem.INTERNAL_SERVER_ERROR);
    }

    /**
     * A 200 with caches forbidden.
     *
     * @param body JSON in UTF-8; not copied, so the caller must not change the array
     * @return of the type {@code application/json}
     */
    public static Answer ofJson(byte[] body) {
        return of(200).withJson(body);
    }

    /**
     * The status and the header fields of this answer, with another body. Caches are forbidden.
     *
     * @param json in UTF-8; not copied, so the caller must not change the array
     * @return of the type {@code application/json}
     */
    public Answer withJson(byte[] json) {
        Map<String, String> fields = new LinkedHashMap<>(headers);
        fields.put("Content-Type", "application/json");
        fields.put("Cache-Control", "no-store");
        return new Answer(status, fields, cookies, json);
    }

    /**
     * The same answer with a further header field.
     *
     * @param header the name of the field; replaces a field of the same name
     * @param value in ASCII, without line breaks
     * @return a new answer
     */
    public Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, more, cookies, body);
    }

    /**
     * A redirect with the cookies of this answer, and without its body.
     *
     * @param path on this host
     * @return 303: the browser sends {@code GET}, also after a form (RFC 9110 section 15.4.4)
     */
    public Answer asRedirectTo(String path) {
        return new Answer(303, Map.of("Location", path, "Cache-Control", "no-store"), cookies, new byte[0]);
    }

    /**
     * The same answer with a further cookie.
     *
     * @param cookie in the form of the field {@code Set-Cookie}
     * @return a new answer
     */
    public Answer withCookie(String cookie) {
        return new Answer(
                status,
                headers,
                Stream.concat(cookies.stream(), Stream.of(cookie)).toList(),
                body);
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    List<String> cookies() {
        return cookies;
    }

    /** The array itself, for the writer of the answer. */
    byte[] body() {
        return body;
    }
}
