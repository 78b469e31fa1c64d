package dev.latchkey.auth.client;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A login or a refresh returned no token. The message names the address and the result. The message contains no
 * credentials and no text from the answer's body.
 */
public final class LoginFailedException extends RuntimeException {

    /** The kind of a failure, which tells the remedy. */
    public enum Kind {
        /** The endpoint rejects the credentials or the request: a person must change them. */
        REFUSED,
        /**
         * The credentials are right so far, but the endpoint requires a second step. A service cannot take a second
         * step: use an account without one.
         */
        SECOND_STEP,
        /** The endpoint is overloaded, fails, answers too late, or sends no token. A later login may succeed. */
        UNAVAILABLE
    }

    private final Kind kind;

    @Nullable
    private final Duration retryAfter;

    private LoginFailedException(Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.retryAfter = retryAfter;
    }

    static LoginFailedException of(Kind kind, String message) {
        return new LoginFailedException(kind, message, null, null);
    }

    static LoginFailedException unavailable(String message, Throwable cause) {
        return new LoginFailedException(Kind.UNAVAILABLE, message, null, cause);
    }

    /** A copy with the time after which the endpoint may be asked again. */
    LoginFailedException withRetryAfter(Duration wait) {
        return new LoginFailedException(kind, String.valueOf(getMessage()), wait, getCause());
    }

    /** A copy for another caller, with the caller's own stack. */
    LoginFailedException again() {
        return new LoginFailedException(kind, String.valueOf(getMessage()), retryAfter, this);
    }

    /**
     * The kind of the failure.
     *
     * @return tells whether a retry can help
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The time until another login may succeed. No login is sent earlier. Empty if unknown.
     *
     * @return a duration from the failure of the login
     */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
