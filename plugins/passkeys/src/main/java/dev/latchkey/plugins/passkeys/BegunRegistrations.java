package dev.latchkey.plugins.passkeys;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The notifications of the login limits for confirmed registrations of this node: the owner's client IP has passed the new step.
 * Otherwise the owner's first login with the passkey would count as a login of an unknown client.
 *
 * <p>Keeps the last thousand. Safe for use by any number of threads.
 */
final class BegunRegistrations {

    private static final int MOST = 1_000;

    private final Map<String, Runnable> confirmations = new LinkedHashMap<>();

    /** Replaces an earlier registration of this account. */
    synchronized void begun(String account, Runnable confirmation) {
        confirmations.remove(account);
        confirmations.put(account, confirmation);
        if (confirmations.size() > MOST) {
            Iterator<String> oldest = confirmations.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    void confirmed(String account) {
        Runnable confirmation;
        synchronized (this) {
            confirmation = confirmations.remove(account);
        }
        if (confirmation != null) {
            confirmation.run();
        }
    }
}
