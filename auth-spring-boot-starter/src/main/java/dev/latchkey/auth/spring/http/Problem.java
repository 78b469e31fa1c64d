package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * What a caller is told when a request is refused: RFC 9457, always the same text for the same status, so that nothing about
 * accounts, plugins or keys can leak through it.
 */
public enum Problem {
    BAD_REQUEST(400, "Bad Request", "The request is not in the form that this endpoint reads."),
    /** RFC 6749 section 5.2: the one answer to a refresh token that is good for nothing, whatever the reason. */
    INVALID_GRANT(400, "Bad Request", "The token was not accepted.", ",\"error\":\"invalid_grant\""),
    /** RFC 6749 section 5.2. */
    UNSUPPORTED_GRANT_TYPE(
            400, "Bad Request", "No plugin knows this kind of grant.", ",\"error\":\"unsupported_grant_type\""),
    UNAUTHORIZED(401, "Unauthorized", "The credentials were not accepted."),
    /** What was sent is right so far. Its type is a tag (RFC 4151), which names and leads nowhere. */
    NEXT_STEP("tag:latchkey.dev,2026:next-step", 401, "Unauthorized", "Another step is wanted.", ""),
    NOT_FOUND(404, "Not Found", "There is no such login."),
    /** The credentials are right: who has them may log out elsewhere, and come again. */
    TOO_MANY_LOGINS(
            "tag:latchkey.dev,2026:too-many-logins",
            409,
            "Conflict",
            "The account has as many logins as it may have.",
            ""),
    FORBIDDEN(403, "Forbidden", "The credentials do not allow this."),
    CONTENT_TOO_LARGE(413, "Content Too Large", "The body is longer than this endpoint reads."),
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported Media Type", "Send application/json or a form, in UTF-8."),
    TOO_MANY_REQUESTS(429, "Too Many Requests", "Try again later."),
    INTERNAL_SERVER_ERROR(500, "Internal Server Error", "The request could not be decided."),
    SERVICE_UNAVAILABLE(503, "Service Unavailable", "Try again later.");

    /** Where nobody knows better when to come back. */
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(5);

    private final int status;
    private final String body;

    Problem(int status, String title, String detail) {
        this(status, title, detail, "");
    }

    Problem(int status, String title, String detail, String extension) {
        this("about:blank", status, title, detail, extension);
    }

    Problem(String type, int status, String title, String detail, String extension) {
        this.status = status;
        this.body = "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"%s}"
                .formatted(type, title, status, detail, extension);
    }

    public void writeTo(HttpServletResponse response) throws IOException {
        ServletAnswers.write(Answer.of(this), response);
    }

    /** 503 for an outage and for overload, 429 for a caller over its own limit; both go with {@link #retryAfter}. */
    static Problem of(AuthUnavailableException cause) {
        return cause.kind() == AuthUnavailableException.Kind.THROTTLED ? TOO_MANY_REQUESTS : SERVICE_UNAVAILABLE;
    }

    /** When to come back, in whole seconds: the value of {@code Retry-After}. */
    static String retryAfter(AuthUnavailableException cause) {
        Duration wait = cause.retryAfter().orElse(DEFAULT_RETRY_AFTER);
        return Long.toString(Math.max(1, wait.plusNanos(999_999_999).toSeconds()));
    }

    /** The value of the field {@code RateLimit} for a caller over its own limit. */
    static String rateLimit(AuthUnavailableException cause) {
        return RateLimitFields.limit("login", 0, cause.retryAfter().orElse(DEFAULT_RETRY_AFTER));
    }

    int status() {
        return status;
    }

    String body() {
        return body;
    }

    /** With these members at its end, each after a comma. */
    String bodyWith(String members) {
        return body.substring(0, body.length() - 1) + members + "}";
    }
}
