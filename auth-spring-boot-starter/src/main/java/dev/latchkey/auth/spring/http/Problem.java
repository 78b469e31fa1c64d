package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * What a caller is told when a request is refused (RFC 9457): one text for each kind of refusal, so that nothing about accounts, plugins or keys can
 * leak through it.
 */
public enum Problem {
    /** The request cannot be read, or presents credentials in more than one way. */
    BAD_REQUEST(400, "Bad Request", "The request is not in the form that this endpoint reads."),
    /** A refresh token is good for nothing, whatever the reason (RFC 6749 section 5.2). */
    INVALID_GRANT(400, "Bad Request", "The token was not accepted.", ",\"error\":\"invalid_grant\""),
    /** No plugin knows the kind of grant that was sent (RFC 6749 section 5.2). */
    UNSUPPORTED_GRANT_TYPE(
            400, "Bad Request", "No plugin knows this kind of grant.", ",\"error\":\"unsupported_grant_type\""),
    /** The credentials are not accepted, whatever the reason, or there are none. */
    UNAUTHORIZED(401, "Unauthorized", "The credentials were not accepted."),
    /** What was sent is right so far, and another step is wanted. The type is a tag (RFC 4151): a name that leads nowhere. */
    NEXT_STEP("tag:latchkey.dev,2026:next-step", 401, "Unauthorized", "Another step is wanted.", ""),
    /** There is no login of this id, or it is somebody else's: a stranger cannot tell these apart. */
    NOT_FOUND(404, "Not Found", "There is no such login."),
    /** The credentials are right, and the account has as many logins as it may have. Its owner may log out elsewhere, and come again. */
    TOO_MANY_LOGINS(
            "tag:latchkey.dev,2026:too-many-logins",
            409,
            "Conflict",
            "The account has as many logins as it may have.",
            ""),
    /** The credentials are good, and their subject may not do this. */
    FORBIDDEN(403, "Forbidden", "The credentials do not allow this."),
    /** The body is longer than the endpoint reads. */
    CONTENT_TOO_LARGE(413, "Content Too Large", "The body is longer than this endpoint reads."),
    /** The body is neither JSON nor a form in UTF-8, or it is compressed. */
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported Media Type", "Send application/json or a form, in UTF-8."),
    /** The caller is over a limit of its own. */
    TOO_MANY_REQUESTS(429, "Too Many Requests", "Try again later."),
    /** A plugin or an endpoint has failed; the log says how. */
    INTERNAL_SERVER_ERROR(500, "Internal Server Error", "The request could not be decided."),
    /** A store or a backend does not answer, or there is too much to do. */
    SERVICE_UNAVAILABLE(503, "Service Unavailable", "Try again later.");

    /** For callers to whom nobody can say when to come back. */
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

    /**
     * Writes the status and the problem.
     *
     * @param response of which nothing has been sent
     * @throws IOException if the client is not there any more
     */
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

    /** The body with these members at its end, each after a comma. */
    String bodyWith(String members) {
        return body.substring(0, body.length() - 1) + members + "}";
    }
}
