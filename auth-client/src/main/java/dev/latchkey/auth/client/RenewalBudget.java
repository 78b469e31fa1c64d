package dev.latchkey.auth.client;

import java.time.Duration;
import java.time.Instant;

/**
 * Limits how often a rejected token is dropped: five times at once, and once more every ten seconds. Otherwise a server
 * that rejects every token would cost a login for each request. Guarded by the caller's lock.
 */
final class RenewalBudget {

    static final int MOST = 5;
    static final Duration ONE_MORE_AFTER = Duration.ofSeconds(10);

    private int left = MOST;
    private Instant filled = Instant.MIN;

    /** Takes a unit of the budget, if one is left. */
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
