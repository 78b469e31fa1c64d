package dev.latchkey.auth.password.upgrade;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The accounts whose replacement failed within the last half hour. They are left alone until it is over.
 *
 * <p>At most {@value #MAX_REMEMBERED}: one more takes the place of the account that failed the longest ago. The lock of its upgrade guards it.
 */
final class AccountsAtRest {

    static final int MAX_REMEMBERED = 10_000;
    static final Duration REST = Duration.ofMinutes(30);

    private final InstantSource clock;
    private final Map<String, Instant> ends = new LinkedHashMap<>();

    AccountsAtRest(InstantSource clock) {
        this.clock = clock;
    }

    boolean contains(String account) {
        Instant end = ends.get(account);
        return end != null && clock.instant().isBefore(end);
    }

    /** Lets this account rest from now on. */
    void add(String account) {
        ends.remove(account);
        if (ends.size() == MAX_REMEMBERED) {
            Iterator<String> oldest = ends.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        ends.put(account, clock.instant().plus(REST));
    }
}
