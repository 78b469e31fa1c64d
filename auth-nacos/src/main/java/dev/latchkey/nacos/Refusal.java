package dev.latchkey.nacos;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;

/**
 * The answer to a caller without a decision.
 *
 * @param retryAfterSeconds at least 1, also if the time is unknown
 */
record Refusal(int status, String message, long retryAfterSeconds) {

    private static final int TOO_MANY = 429;
    private static final int UNAVAILABLE = 503;

    static Refusal of(AuthUnavailableException why) {
        Duration wait = why.retryAfter().orElse(Duration.ZERO);
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return switch (why.kind()) {
            case THROTTLED -> new Refusal(TOO_MANY, "Too many failed logins, try again later", seconds);
            case OVERLOAD -> new Refusal(UNAVAILABLE, "Too many logins at a time, try again later", seconds);
            case OUTAGE -> new Refusal(UNAVAILABLE, "Logins cannot be checked at the moment", seconds);
        };
    }
}
