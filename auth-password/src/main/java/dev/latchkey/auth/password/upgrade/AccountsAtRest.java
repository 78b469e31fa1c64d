package dev.latchkey.auth.password.upgrade;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Postponed accounts: their last replacement failed within half an hour. An account is not tried again until the time
 * is over.
 *
 * <p>At most {@value #MAX_REMEMBERED} accounts; a new account replaces the oldest. Guarded by the lock of the upgrade.
 */
final class AccountsAtRest {

    static final int MAX_REMEMBERED = 10_000;
    static final Duration REST = Duration.ofMinutes(30);

    private final LongSupplier nanos;
    private final Map<String, Long> begun = new LinkedHashMap<>();

    AccountsAtRest(LongSupplier nanos) {
        this.nanos = nanos;
    }

    boolean contains(String account) {
        Long since = begun.get(account);
        return since != null && nanos.getAsLong() - since < REST.toNanos();
    }

    /** Adds this account with a pause from now on. */
    void add(String account) {
        begun.remove(account);
        if (begun.size() == MAX_REMEMBERED) {
            Iterator<String> oldest = begun.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
        begun.put(account, nanos.getAsLong());
    }
}
