package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a request is answered with, whatever the server: servlet and WebFlux write the same. No record: a record prints its
 * components, and one of these may hold tokens. Immutable.
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

    /** Without a body. */
    public static Answer of(int status) {
        return new Answer(status, Map.of(), new byte[0]);
    }

    public static Answer of(Problem problem) {
        return ofProblem(problem.status(), problem.body());
    }

    /**
     * A problem with members of its own.
     *
     * @param members in ASCII, each after a comma
     */
    public static Answer of(Problem problem, String members) {
        return ofProblem(problem.status(), problem.bodyWith(members));
    }

    /**
     * A problem that no cache keeps.
     *
     * @param body RFC 9457, in ASCII
     */
    public static Answer ofProblem(int status, String body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/problem+json");
        headers.put("Cache-Control", "no-store");
        return new Answer(status, headers, body.getBytes(StandardCharsets.US_ASCII));
    }

    public static Answer of(BearerChallenge challenge) {
        return of(challenge.problem()).with("WWW-Authenticate", challenge.field());
    }

    /** 503 for an outage and for overload, 429 for a caller over its own limit; with {@code Retry-After} in seconds. */
    public static Answer of(AuthUnavailableException cause) {
        Answer answer = of(Problem.of(cause)).with("Retry-After", Problem.retryAfter(cause));
        return cause.kind() == AuthUnavailableException.Kind.THROTTLED
                ? answer.with(RateLimitFields.RATE_LIMIT, Problem.rateLimit(cause))
                : answer;
    }

    /** 200 that no cache keeps. */
    public static Answer ofJson(byte[] body) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("Cache-Control", "no-store");
        return new Answer(200, headers, body);
    }

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

    /** Not a copy: for who writes it. */
    byte[] body() {
        return body;
    }
}
