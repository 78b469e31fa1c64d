package dev.latchkey.auth.test;

import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about an error answer in the form of RFC 9457: {@code application/problem+json}, with the answer's status
 * in the member {@code status}. Each assertion checks this form first.
 */
public final class ProblemAssert extends AbstractAssert<ProblemAssert, ProblemAnswer> {

    ProblemAssert(@Nullable ProblemAnswer actual) {
        super(actual, ProblemAssert.class);
    }

    /**
     * Has this status.
     *
     * @param status the HTTP status
     * @return this
     */
    public ProblemAssert hasStatus(int status) {
        requireProblem();
        if (actual.status() != status) {
            throw failure("Expected a problem of status %s, and was: %s", status, actual);
        }
        return this;
    }

    /**
     * Has this {@code type}: {@code about:blank} if the status is enough.
     *
     * @param type the exact value
     * @return this
     */
    public ProblemAssert hasType(String type) {
        return hasMember("type", type);
    }

    /**
     * Has this {@code title}, a text for people.
     *
     * @param title the exact value
     * @return this
     */
    public ProblemAssert hasTitle(String title) {
        return hasMember("title", title);
    }

    /**
     * Has this {@code detail}, a text for people.
     *
     * @param detail the exact value
     * @return this
     */
    public ProblemAssert hasDetail(String detail) {
        return hasMember("detail", detail);
    }

    /**
     * Has a member with this value. Whole numbers of different types can be equal.
     *
     * @param name of a member, from RFC 9457 or custom
     * @param value text, a number, a boolean, or a list or map of these
     * @return this
     */
    public ProblemAssert hasMember(String name, Object value) {
        requireProblem();
        Object found = actual.members().get(name);
        boolean isSame = (found instanceof Number a && value instanceof Number b)
                ? a.doubleValue() == b.doubleValue()
                : Objects.equals(found, value);
        if (!isSame) {
            throw failure("Expected a problem with the member %s of %s, and was: %s", name, value, actual);
        }
        return this;
    }

    /**
     * 401: credentials were missing or not accepted.
     *
     * @return this
     */
    public ProblemAssert isUnauthorized() {
        return hasStatus(401);
    }

    /**
     * 401 with the challenge of RFC 6750 section 3.1 for an invalid token. The answer never gives the reason.
     *
     * @return this
     */
    public ProblemAssert refusesTheToken() {
        hasStatus(401);
        requireBearerError("invalid_token");
        return this;
    }

    /**
     * 403: the credentials are valid, but not sufficient.
     *
     * @return this
     */
    public ProblemAssert isForbidden() {
        return hasStatus(403);
    }

    /**
     * 429 with {@code Retry-After}: the caller is rate-limited.
     *
     * @return this
     */
    public ProblemAssert isTooManyRequests() {
        hasStatus(429);
        return tellsWhenToComeBack();
    }

    /**
     * 503 with {@code Retry-After}: an outage or overload.
     *
     * @return this
     */
    public ProblemAssert isUnavailable() {
        hasStatus(503);
        return tellsWhenToComeBack();
    }

    /**
     * 401 with a request for another step by this method: {@code otp}.
     *
     * @param method the name in RFC 8176
     * @return this
     */
    public ProblemAssert asksForStep(String method) {
        hasStatus(401);
        hasType("tag:latchkey.dev,2026:next-step");
        hasMember("method", method);
        if (!(actual.members().get("continuation") instanceof String)) {
            throw failure("Expected a continuation to come back with, and was: %s", actual);
        }
        return this;
    }

    private ProblemAssert tellsWhenToComeBack() {
        if (actual.header("Retry-After")
                .filter(wait -> wait.matches("[1-9][0-9]*"))
                .isEmpty()) {
            throw failure("Expected Retry-After in whole seconds, and was: %s", actual);
        }
        return this;
    }

    private void requireBearerError(String error) {
        String challenge = actual.header("WWW-Authenticate").orElse("");
        if (!challenge.startsWith("Bearer ") || !challenge.contains("error=\"" + error + "\"")) {
            throw failure("Expected a Bearer challenge with error=\"%s\", and was: %s", error, actual);
        }
    }

    private void requireProblem() {
        isNotNull();
        boolean sameStatus =
                actual.members().get("status") instanceof Number status && status.intValue() == actual.status();
        if (!actual.isProblem() || !sameStatus) {
            throw failure("Expected %s with its own status, and was: %s", ProblemAnswer.MEDIA_TYPE, actual);
        }
    }
}
