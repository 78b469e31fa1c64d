package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.guard.bucket.RateLimitFields;
import java.time.Duration;

/**
 * The answer to a caller without a decision.
 *
 * @param retryAfter the value of {@code Retry-After}; 1 if the time is unknown
 */
record Refusal(int status, String message, String retryAfter) {

    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    static Refusal of(AuthUnavailableException why) {
        String seconds = RateLimitFields.retryAfter(why.retryAfter().orElse(Duration.ZERO));
        return switch (why.kind()) {
            case THROTTLED -> new Refusal(TOO_MANY, "Too many failed logins, try again later", seconds);
            case OVERLOAD -> new Refusal(UNAVAILABLE, "Too many logins at a time, try again later", seconds);
            case OUTAGE -> new Refusal(UNAVAILABLE, "Logins cannot be checked at the moment", seconds);
        };
    }
}
