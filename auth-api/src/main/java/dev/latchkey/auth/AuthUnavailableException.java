package dev.latchkey.auth;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * No decision was possible: an outage, an overload, or a limit. The exception is neither a success nor a rejection: the
 * chain does not cache the exception, and does not report a wrong password. An outage costs no attempt of the login
 * limits. An overload may cost an attempt.
 *
 * <p>The message is for logs and names the failed part. The message contains no secret, and the caller never sees the
 * message.
 */
public final class AuthUnavailableException extends RuntimeException {

    /**
     * The cause of the missing decision. An outage and an overload answer with status 503, {@link #THROTTLED} with 429.
     */
    public enum Kind {
        /** A store or a remote service does not answer. */
        OUTAGE,
        /** The service has no room for this login now. */
        OVERLOAD,
        /** This caller exceeds its own limit. */
        THROTTLED
    }

    private final Kind kind;

    @Nullable
    private final Duration retryAfter;

    private AuthUnavailableException(
            Kind kind, String message, @Nullable Throwable cause, @Nullable Duration retryAfter) {
        // Overload must be cheap. Only an outage needs an operator, so only an outage has a stack trace.
        super(message, cause, true, kind == Kind.OUTAGE);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /**
     * A store or a remote service does not answer: status 503.
     *
     * @param message names the failed part, for logs; no secret
     * @param cause the failure of the store or service; null if unknown
     * @return an exception with a stack trace, to throw
     */
    public static AuthUnavailableException outage(String message, @Nullable Throwable cause) {
        return new AuthUnavailableException(Kind.OUTAGE, message, cause, null);
    }

    /**
     * A store or a remote service does not answer, and no cause is known: status 503.
     *
     * @param message names the failed part, for logs; no secret
     * @return an exception with a stack trace, to throw
     */
    public static AuthUnavailableException outage(String message) {
        return outage(message, null);
    }

    /**
     * The service has no room for this login now: status 503.
     *
     * @param message names the exceeded limit, for logs; no secret
     * @param retryAfter time from now until another attempt may succeed
     * @return an exception to throw, without a stack trace, because a stack trace is too expensive during an overload
     */
    public static AuthUnavailableException overload(String message, Duration retryAfter) {
        return new AuthUnavailableException(Kind.OVERLOAD, message, null, Objects.requireNonNull(retryAfter));
    }

    /**
     * This caller exceeds its own limit: status 429.
     *
     * @param message names the limit, for logs; no secret
     * @param retryAfter time from now until another attempt may succeed
     * @return an exception to throw, without a stack trace, because a stack trace is too expensive during an overload
     */
    public static AuthUnavailableException throttled(String message, Duration retryAfter) {
        return new AuthUnavailableException(Kind.THROTTLED, message, null, Objects.requireNonNull(retryAfter));
    }

    /**
     * The kind of the failure.
     *
     * @return decides the status of the response
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The recommended time before another attempt.
     *
     * @return counted from the creation of the exception; empty for an outage
     */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
