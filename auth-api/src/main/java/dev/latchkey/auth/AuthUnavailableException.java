package dev.latchkey.auth;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * No decision could be reached. Neither a success nor a rejection: never cached, never counted as a failed attempt, never
 * answered as a wrong password.
 *
 * <p>The message is for logs and says what is down; it holds no secret and is not shown to the caller.
 */
public final class AuthUnavailableException extends RuntimeException {

    /** Why there is no decision. The caller gets the status 503 for an outage and for overload, and 429 for {@link #THROTTLED}. */
    public enum Kind {
        /** A store or a remote service does not answer. */
        OUTAGE,
        /** More logins arrive than can be hashed in time. */
        OVERLOAD,
        /** This caller exceeds its own limit. */
        THROTTLED
    }

    private final Kind kind;

    @Nullable
    private final Duration retryAfter;

    private AuthUnavailableException(
            Kind kind, String message, @Nullable Throwable cause, @Nullable Duration retryAfter) {
        // Overload must be cheap: only an outage, which somebody has to look into, is worth a stack trace.
        super(message, cause, true, kind == Kind.OUTAGE);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /**
     * A store or a remote service does not answer: 503.
     *
     * @param message says what is down, for logs; no secret
     * @param cause what failed there
     * @return an exception to throw, with a stack trace
     */
    public static AuthUnavailableException outage(String message, Throwable cause) {
        return new AuthUnavailableException(Kind.OUTAGE, message, Objects.requireNonNull(cause), null);
    }

    /**
     * A store or a remote service does not answer, and nothing more is known: 503.
     *
     * @param message says what is down, for logs; no secret
     * @return an exception to throw, with a stack trace
     */
    public static AuthUnavailableException outage(String message) {
        return new AuthUnavailableException(Kind.OUTAGE, message, null, null);
    }

    /**
     * More logins arrive than can be hashed in time: 503.
     *
     * @param message says what there is too much of, for logs; no secret
     * @param retryAfter when another attempt may succeed, from now on
     * @return an exception to throw, without a stack trace, which would cost too much then
     */
    public static AuthUnavailableException overload(String message, Duration retryAfter) {
        return new AuthUnavailableException(Kind.OVERLOAD, message, null, Objects.requireNonNull(retryAfter));
    }

    /**
     * This caller exceeds its own limit: 429.
     *
     * @param message says which limit, for logs; no secret
     * @param retryAfter when another attempt may succeed, from now on
     * @return an exception to throw, without a stack trace, which would cost too much then
     */
    public static AuthUnavailableException throttled(String message, Duration retryAfter) {
        return new AuthUnavailableException(Kind.THROTTLED, message, null, Objects.requireNonNull(retryAfter));
    }

    /**
     * Which of the three it is.
     *
     * @return what the caller is answered hangs on it
     */
    public Kind kind() {
        return kind;
    }

    /**
     * How long the caller should wait before another attempt; empty where that is not known.
     *
     * @return a time from when it was thrown; empty for an outage
     */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
