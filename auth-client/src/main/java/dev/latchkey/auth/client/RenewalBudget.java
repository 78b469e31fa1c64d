package dev.latchkey.auth.client;

import java.time.Duration;
import java.time.Instant;

/**
 * How often a token may be given up because it was refused: five times at once, and once more every ten seconds. A server that refuses every token would else
 * cost a login for each request. Guarded by its user.
 */
final class RenewalBudget {

    static final int MOST = 5;
    static final Duration ONE_MORE_AFTER = Duration.ofSeconds(10);

    private int left = MOST;
    private Instant filled = Instant.MIN;

    /** Takes one, where there is one. */
    boolean take(Instant now) {
        if (left == MOST || now.isBefore(filled)) {
            filled = now;
        } else {
            long more = Duration.between(filled, now).dividedBy(ONE_MORE_AFTER);
            filled = filled.plus(ONE_MORE_AFTER.multipliedBy(more));
            left = (int) Math.min(MOST, left + more);
        }
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }
}
