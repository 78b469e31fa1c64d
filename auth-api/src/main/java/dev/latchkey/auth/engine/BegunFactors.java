package dev.latchkey.auth.engine;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the callbacks of {@link AuthChain#prove} while owners add new factors. A callback tells the login limits that the owner
 * has shown the password and the new factor from the same client IP. Without the callback, the first login with the factor would
 * come from an unknown client. An attacker may have used up the budget of unknown clients.
 *
 * <p>Keeps the latest 1,000 callbacks. If the callback was removed, or the owner confirms the factor on another node, the owner
 * is an unknown client once. Safe for use by any number of threads.
 */
public final class BegunFactors {

    private static final int MOST = 1_000;

    private final Map<String, Runnable> confirmations = new LinkedHashMap<>();

    /** Creates an object without callbacks. */
    public BegunFactors() {}

    /**
     * Notes that an owner has begun to add a factor. Replaces an earlier callback of this account.
     *
     * @param account id of the owner
     * @param confirmation the callback of {@link AuthChain#prove}
     */
    public synchronized void begun(String account, Runnable confirmation) {
        confirmations.remove(account);
        confirmations.put(account, confirmation);
        if (confirmations.size() > MOST) {
            Iterator<String> oldest = confirmations.keySet().iterator();
            oldest.next();
            oldest.remove();
        }
    }

    /**
     * Notes that the owner has confirmed the factor. Runs and removes the callback of this account, if there is one.
     *
     * @param account id of the owner
     */
    public void confirmed(String account) {
        Runnable confirmation;
        synchronized (this) {
            confirmation = confirmations.remove(account);
        }
        if (confirmation != null) {
            confirmation.run();
        }
    }
}
