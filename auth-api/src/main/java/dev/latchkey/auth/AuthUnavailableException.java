package dev.latchkey.auth;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * No decision was possible: an outage, an overload, or a limit. The exception is neither a success nor a rejection: the
 * chain does not cache the exception, and does not report a wrong password. An outage costs no attempt of the login
 * limits, except {@linkplain #afterRejection after a rejection}. An overload may cost an attempt.
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

    private final boolean afterRejection;

    private AuthUnavailableException(
            Kind kind,
            String message,
            @Nullable Throwable cause,
            @Nullable Duration retryAfter,
            boolean afterRejection) {
        // Overload must be cheap. Only an outage needs an operator, so only an outage has a stack trace.
        super(message, cause, true, kind == Kind.OUTAGE);
        this.kind = kind;
        this.retryAfter = retryAfter;
        this.afterRejection = afterRejection;
    }

    /**
     * A store or a remote service does not answer: status 503.
     *
     * @param message names the failed part, for logs; no secret
     * @param cause the failure of the store or service; null if unknown
     * @return an exception with a stack trace, to throw
     */
    public static AuthUnavailableException outage(String message, @Nullable Throwable cause) {
        return new AuthUnavailableException(Kind.OUTAGE, message, cause, null, false);
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
        return new AuthUnavailableException(Kind.OVERLOAD, message, null, Objects.requireNonNull(retryAfter), false);
    }

    /**
     * This caller exceeds its own limit: status 429.
     *
     * @param message names the limit, for logs; no secret
     * @param retryAfter time from now until another attempt may succeed
     * @return an exception to throw, without a stack trace, because a stack trace is too expensive during an overload
     */
    public static AuthUnavailableException throttled(String message, Duration retryAfter) {
        return new AuthUnavailableException(Kind.THROTTLED, message, null, Objects.requireNonNull(retryAfter), false);
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
     * The same failure, after a part of the service has rejected the password or another secret. The login counts as a failure.
     * Otherwise guesses at this part would cost nothing while the next part does not answer.
     *
     * @return a copy with this exception as the cause, to throw
     */
    public AuthUnavailableException afterRejection() {
        return new AuthUnavailableException(kind, String.valueOf(getMessage()), this, retryAfter, true);
    }

    /**
     * Whether the login counts as a failure.
     *
     * @return true only for a copy by {@link #afterRejection}
     */
    public boolean isAfterRejection() {
        return afterRejection;
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
