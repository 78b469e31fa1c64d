package dev.latchkey.auth.engine;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The callbacks of {@link AuthChain#prove} for factors that their owners have begun to add. A callback tells the login limits
 * that the owner has shown the password and the new factor from the same client IP. Without this callback, the first login with
 * the factor would be a login of an unknown client, and an attacker may have spent the budget of unknown clients.
 *
 * <p>Keeps the latest thousand. An owner whose entry was removed, or who confirms on another node, is an unknown client once.
 * Safe for use by any number of threads.
 */
public final class BegunFactors {

    private static final int MOST = 1_000;

    private final Map<String, Runnable> confirmations = new LinkedHashMap<>();

    /** None has begun. */
    public BegunFactors() {}

    /**
     * An owner begins. Replaces an earlier beginning of this account.
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
     * The owner has confirmed the factor. Runs the callback, if this account has begun here.
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
