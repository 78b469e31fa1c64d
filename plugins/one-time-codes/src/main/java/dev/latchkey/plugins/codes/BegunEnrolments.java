package dev.latchkey.plugins.codes;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What to tell the login limits once an enrolment is confirmed that was begun on this node: that the owner has shown a code at the place
 * where he showed the password. Otherwise his first login with a code would be a stranger's there, whose tokens somebody else may have used
 * up.
 *
 * <p>Keeps the last thousand. Who is pushed out, or confirms on another node, is a stranger once. Safe for use by any number of threads.
 */
final class BegunEnrolments {

    private static final int MOST = 1_000;

    private final Map<String, Runnable> confirmations = new LinkedHashMap<>();

    /** In place of an earlier one of this account. */
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
