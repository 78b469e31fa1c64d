package dev.latchkey.auth;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Stands before every login of an {@link AuthChain}, whatever its credentials are but for bearer tokens: the place for limits on failed
 * logins. What answers a {@link Challenged challenge} belongs to the login that was let in for it.
 *
 * <p>Every caller of the chain passes it: filter, endpoint or controller. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface LoginGate {

    /** Lets everything pass. */
    LoginGate OPEN = (credentials, account, decision) -> decision.get();

    /**
     * Has the plugins decide, or refuses.
     *
     * @param credentials of any kind; a gate that counts by places finds the rest in the request
     * @param account the account that the credentials claim; empty where they name none
     * @param decision of the plugins; to be asked once at most, on the calling thread
     * @return the decision's verdict
     * @throws AuthUnavailableException if the gate refuses; the plugins have not been asked then
     */
    Verdict decide(Credentials credentials, String account, Supplier<Verdict> decision);

    /**
     * The same for somebody who is about to add a step to his logins.
     *
     * @param credentials of any kind
     * @param account the account that the credentials claim; empty where they name none
     * @param decision of the plugins; to be asked once at most, on the calling thread
     * @param whenAdded is given, where the login succeeds, what is to be run once that step was shown, by a request from the same place: the
     *     place is then one that has passed all steps. By default there is nothing to run
     * @return the decision's verdict
     */
    default Verdict decide(
            Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Runnable> whenAdded) {
        return decide(credentials, account, decision);
    }
}
