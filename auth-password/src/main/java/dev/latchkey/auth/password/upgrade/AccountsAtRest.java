package dev.latchkey.auth.password.upgrade;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Postponed accounts: their last replacement failed within half an hour. An account is not tried again until the time
 * is over.
 *
 * <p>At most {@value #MAX_REMEMBERED} accounts; a new account replaces the oldest. Guarded by the lock of the upgrade.
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

    /** Adds this account with a pause from now on. */
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
