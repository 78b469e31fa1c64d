package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Challenged;
import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.Verdict;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Stands before every login of an {@link AuthChain}: the place for limits on failed logins. Bearer tokens bypass the gate. So do
 * responses to a {@linkplain Challenged challenge}, because the gate has already admitted their login.
 *
 * <p>Every login through the chain passes the gate, from filters, endpoints and controllers. Safe for use by any number of
 * threads.
 */
@FunctionalInterface
public interface LoginGate {

    /** Admits every login. */
    LoginGate OPEN = (credentials, account, decision) -> decision.get();

    /**
     * Asks the plugins, or rejects.
     *
     * @param credentials of any kind; a gate with limits for client IPs reads the client IP from the request
     * @param account the claimed account; empty without a claim
     * @param decision asks the plugins; call this at most once, on the calling thread
     * @return the decision's verdict
     * @throws AuthUnavailableException if the gate rejects without a decision
     */
    Verdict decide(Credentials credentials, String account, Supplier<Verdict> decision);

    /**
     * The same for an enrolment, which adds a second step to the user's logins.
     *
     * @param credentials of any kind
     * @param account the claimed account; empty without a claim
     * @param decision of the plugins; call this at most once, on the calling thread
     * @param whenAdded receives, if the login succeeds, an action for the time after the new step was passed in a request from
     *     the same client IP; this client IP has then passed all steps. Not called by default
     * @return the decision's verdict
     */
    default Verdict decide(
            Credentials credentials, String account, Supplier<Verdict> decision, Consumer<Runnable> whenAdded) {
        return decide(credentials, account, decision);
    }
}
