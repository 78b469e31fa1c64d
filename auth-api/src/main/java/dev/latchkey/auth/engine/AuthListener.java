package dev.latchkey.auth.engine;

import dev.latchkey.auth.Credentials;

/**
 * Receives an event for each decision of an {@link AuthChain}; for audit and metrics.
 *
 * <p>Called on the deciding thread, so the method must be quick and must not block. Exceptions and errors are logged and change
 * no decision. A login rejected by the {@link LoginGate} has no event. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface AuthListener {

    /**
     * Called after the decision of a question, while the caller waits.
     *
     * @param event the question and the outcome, without credentials
     */
    void on(AuthEvent event);

    /**
     * Called before credentials of this kind are checked. The returned listener receives exactly one event instead of this
     * listener, on the same thread, for every outcome of the check. For listeners that measure the check, or keep a resource open
     * during the check.
     *
     * @param kind the class of the credentials
     * @return this listener unless overridden
     */
    default AuthListener begin(Class<? extends Credentials> kind) {
        return this;
    }
}
