package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The answer to a request, the same on servlets and on WebFlux. No record, since a record prints its components, and a body may hold tokens.
 * Immutable.
 */
public final class Answer {

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    private Answer(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = Collections.unmodifiableMap(headers);
        this.body = body;
    }

    /**
     * An answer without a body.
     *
     * @param status of HTTP, such as 204
     * @return without header fields, which {@link #with} adds
     */
    public static Answer of(int status) {
        return new Answer(status, Map.of(), new byte[0]);
    }

    /**
     * The answer that tells a problem.
     *
     * @param problem whose status and text are told
     * @return of the type {@code application/problem+json}, which no cache keeps
     */
    public static Answer of(Problem problem) {
        return ofProblem(problem.status(), problem.body());
    }

    /**
     * The answer that tells a problem with members of its own.
     *
     * @param problem whose status and text are told
     * @param members in JSON and in ASCII, each after a comma
     * @return of the type {@code application/problem+json}, which no cache keeps
     */
    public static Answer of(Problem problem, String members) {
        return ofProblem(problem.status(), problem.bodyWith(members));
    }

    /**
     * The answer that tells a problem which is none of {@link Problem}.
     *
     * @param status of HTTP, the one that the body names
     * @param body JSON in the form of RFC 9457, in ASCII
     * @return of the type {@code application/problem+json}, which no cache keeps
     */
    public static Answer ofProblem(int status, String body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/problem+json");
        headers.put("Cache-Control", "no-store");
        return new Answer(status, headers, body.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * The refusal of a request that presented no token, or one that is not enough.
     *
     * @param challenge which of these it is
     * @return 401 or 403, with the field {@code WWW-Authenticate}
     */
    public static Answer of(BearerChallenge challenge) {
        return of(challenge.problem()).with("WWW-Authenticate", challenge.field());
    }

    /**
     * The answer to a request that nobody has decided: 503 for an outage and for overload, 429 for a caller over its own limit.
     *
     * @param cause which of these it is, and when to come back
     * @return with {@code Retry-After} in seconds; 429 with {@code RateLimit} too
     */
    public static Answer of(AuthUnavailableException cause) {
        Answer answer = of(Problem.of(cause)).with("Retry-After", Problem.retryAfter(cause));
        return cause.kind() == AuthUnavailableException.Kind.THROTTLED
                ? answer.with(RateLimitFields.RATE_LIMIT, Problem.rateLimit(cause))
                : answer;
    }

    /**
     * A 200 that no cache keeps.
     *
     * @param body JSON in UTF-8; not copied, so it must not change any more
     * @return of the type {@code application/json}
     */
    public static Answer ofJson(byte[] body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Cache-Control", "no-store");
        return new Answer(200, headers, body);
    }

    /**
     * The same answer with one more header field.
     *
     * @param header the name of the field, which takes the place of an earlier one that is spelled alike
     * @param value in ASCII, without line breaks
     * @return a new answer
     */
    public Answer with(String header, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(header, value);
        return new Answer(status, more, body);
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    /** Not a copy: for whoever writes it. */
    byte[] body() {
        return body;
    }
}
