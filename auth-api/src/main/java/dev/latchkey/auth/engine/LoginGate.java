package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Verdict;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Stands before every login of an {@link AuthChain}: the place for limits on failed logins. Bearer tokens do not pass it, nor does the response to a
 * {@linkplain Challenged challenge}, which belongs to a login that has passed.
 *
 * <p>Every login through the chain passes it, whether a filter, an endpoint or a controller asks. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface LoginGate {

    /** Lets everything pass. */
    LoginGate OPEN = (credentials, account, decision) -> decision.get();

    /**
     * Lets the plugins decide, or refuses.
     *
     * @param credentials of any kind; a gate that counts by places finds the rest in the request
     * @param account the account that the credentials claim; empty where they name none
     * @param decision asks the plugins; call it at most once, on the calling thread
     * @return the decision's verdict
     * @throws AuthUnavailableException if the gate refuses without asking the plugins
     */
    Verdict decide(Credentials credentials, String account, Supplier<Verdict> decision);

    /**
     * The same for an enrolment, which adds a second step to the user's logins.
     *
     * @param credentials of any kind
     * @param account the account that the credentials claim; empty where they name none
     * @param decision of the plugins; to be asked once at most, on the calling thread
     * @param whenAdded receives, where the login succeeds, an action to run once the new step was passed in a request from the same place; that place
     *     has then passed all steps. Not called by default
     * @return the decision's verdict
     */
    default Verdict decide(
            Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Runnable> whenAdded) {
        return decide(credentials, account, decision);
    }
}
