package dev.latchkey.auth.client;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * There is no token. The message says which login endpoint was asked and what came of it; it holds no credentials and nothing of the answer's body.
 */
public final class LoginFailedException extends RuntimeException {

    /** What is to be done about it. */
    public enum Kind {
        /** The endpoint does not accept the credentials, or the request: somebody has to change them. */
        REFUSED,
        /** The credentials are right so far, and the endpoint wants a second step, which a service cannot take: use an account without one. */
        SECOND_STEP,
        /** The endpoint does not answer in time, is overloaded, fails, or answers what is no token: later it may. */
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

    /** This, with the time after which the endpoint may be asked again. */
    LoginFailedException withRetryAfter(Duration wait) {
        return new LoginFailedException(kind, String.valueOf(getMessage()), wait, getCause());
    }

    /** The same for another caller, with the caller's own stack. */
    LoginFailedException again() {
        return new LoginFailedException(kind, String.valueOf(getMessage()), retryAfter, this);
    }

    /**
     * What went wrong, for callers who tell these apart.
     *
     * @return whether to try again hangs on it
     */
    public Kind kind() {
        return kind;
    }

    /**
     * When another attempt may succeed; no login is tried before. Empty where nobody knows.
     *
     * @return from when the login failed
     */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
