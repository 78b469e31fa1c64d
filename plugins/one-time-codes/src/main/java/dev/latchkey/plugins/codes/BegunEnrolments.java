package dev.latchkey.plugins.codes;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The callbacks for the login limits after a confirmed enrolment. A callback reports that the owner has shown the
 * password and a code from the same client IP. Without this report, the first login with a code would be a login of an
 * unknown client, and an attacker may have spent the budget of unknown clients.
 *
 * <p>Keeps the latest thousand enrolments. An owner whose entry was removed, or who confirms on another node, is an
 * unknown client once. Safe for use by any number of threads.
 */
final class BegunEnrolments {

    private static final int MOST = 1_000;

    private final Map<String, Runnable> confirmations = new LinkedHashMap<>();

    /** Replaces an earlier enrolment of this account. */
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
