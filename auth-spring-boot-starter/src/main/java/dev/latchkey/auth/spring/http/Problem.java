package dev.latchkey.auth.spring.http;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * The problems of rejected requests (RFC 9457): a fixed text for each kind, so that no text leaks facts about accounts, plugins
 * or keys.
 */
public enum Problem {
    /** The request is unreadable, or has credentials of several kinds. */
    BAD_REQUEST(400, "Bad Request", "The request is not in the form that this endpoint reads."),
    /** The credentials are missing, or rejected for any reason. */
    UNAUTHORIZED(401, "Unauthorized", "The credentials were not accepted."),
    /** A newer login replaced the token's session. Sent only if the service sends reasons. */
    LOGIN_REPLACED("tag:latchkey.dev,2026:login-replaced", 401, "Unauthorized", "Another login took the place."),
    /** The owner or an operator ended the token's session. Sent only if the service sends reasons. */
    LOGIN_ENDED("tag:latchkey.dev,2026:login-ended", 401, "Unauthorized", "The login was ended."),
    /** The account may not log in for a time. Sent only if the service sends reasons. */
    ACCOUNT_BARRED("tag:latchkey.dev,2026:account-barred", 401, "Unauthorized", "The account is barred for a time."),
    /** The token is valid, and the proof of its login is too old for this request (RFC 9470). */
    PROOF_TOO_OLD("tag:latchkey.dev,2026:proof-too-old", 401, "Unauthorized", "The login must be proved once more."),
    /**
     * The credentials are right so far, and the login needs another step. The type is a tag URI (RFC 4151), which names no
     * location.
     */
    NEXT_STEP("tag:latchkey.dev,2026:next-step", 401, "Unauthorized", "Another step is wanted."),
    /** There is no session with this id, or the session belongs to another account. The caller cannot distinguish the two. */
    NOT_FOUND(404, "Not Found", "There is no such login."),
    /** The credentials are right, and the account has the maximum of sessions. The owner may log out elsewhere and retry. */
    TOO_MANY_LOGINS(
            "tag:latchkey.dev,2026:too-many-logins", 409, "Conflict", "The account has as many logins as it may have."),
    /** The credentials are valid, and the subject is not allowed to do this. */
    FORBIDDEN(403, "Forbidden", "The credentials do not allow this."),
    /** The body is longer than the endpoint reads. */
    CONTENT_TOO_LARGE(413, "Content Too Large", "The body is longer than this endpoint reads."),
    /** The body is neither JSON nor a form in UTF-8, or it is compressed. */
    UNSUPPORTED_MEDIA_TYPE(415, "Unsupported Media Type", "Send application/json or a form, in UTF-8."),
    /** The caller is over a limit of its own. */
    TOO_MANY_REQUESTS(429, "Too Many Requests", "Try again later."),
    /** A plugin or an endpoint failed; the log has the reason. */
    INTERNAL_SERVER_ERROR(500, "Internal Server Error", "The request could not be decided."),
    /** A store or a backend does not answer, or the service is overloaded. */
    SERVICE_UNAVAILABLE(503, "Service Unavailable", "Try again later.");

    /** For callers without a known time of the next attempt. */
    private static final Duration DEFAULT_RETRY_AFTER = Duration.ofSeconds(5);

    private final int status;
    private final String body;

    Problem(int status, String title, String detail) {
        this("about:blank", status, title, detail);
    }

    Problem(String type, int status, String title, String detail) {
        this.status = status;
        this.body = String.format(
                Locale.ROOT,
                "{\"type\":\"%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}",
                type,
                title,
                status,
                detail);
    }

    /**
     * Writes the status and the problem.
     *
     * @param response without sent data
     * @throws IOException if the client has disconnected
     */
    public void writeTo(HttpServletResponse response) throws IOException {
        ServletAnswers.write(Answer.of(this), response);
    }

    /** 503 for an outage and for overload, 429 for a rate-limited client. Both answers have {@link #retryAfter}. */
    static Problem of(AuthUnavailableException cause) {
        return cause.kind() == AuthUnavailableException.Kind.THROTTLED ? TOO_MANY_REQUESTS : SERVICE_UNAVAILABLE;
    }

    /** The time until the next attempt, in whole seconds: the value of {@code Retry-After}. */
    static String retryAfter(AuthUnavailableException cause) {
        return RateLimitFields.retryAfter(cause.retryAfter().orElse(DEFAULT_RETRY_AFTER));
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
