package dev.latchkey.auth;

import java.util.function.Supplier;

/**
 * Stands before every password that an {@link AuthChain} is shown: the place for limits on failed logins.
 *
 * <p>Every caller of the chain passes it: filter, endpoint or controller. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface LoginGate {

    /** Lets everything pass. */
    LoginGate OPEN = (credentials, decision) -> decision.get();

    /**
     * Has the plugins decide, or refuses.
     *
     * @param decision of the plugins; to be asked once at most, on the calling thread
     * @return the decision's verdict
     * @throws AuthUnavailableException if the gate refuses; the plugins have not been asked then
     */
    Verdict decide(PasswordCredentials credentials, Supplier<Verdict> decision);
}
