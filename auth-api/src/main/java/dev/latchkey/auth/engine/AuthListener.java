package dev.latchkey.auth.engine;

import dev.latchkey.auth.Credentials;

/**
 * Receives an event for each decision of an {@link AuthChain}; for audit and metrics.
 *
 * <p>Called on the thread that asked, so it must be quick and must not block. What it throws, an error included, is logged and
 * changes no decision. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface AuthListener {

    /**
     * Called once a question is decided, on the thread that asked it, which waits meanwhile.
     *
     * @param event what was asked and what came of it, without credentials
     */
    void on(AuthEvent event);

    /**
     * Called before credentials of this kind are checked. The listener that it returns receives exactly one event, in place of this
     * one, on the same thread and however the check ends. For listeners that measure the check, or keep something open during it.
     *
     * @param kind the class of the credentials
     * @return this listener unless overridden
     */
    default AuthListener begin(Class<? extends Credentials> kind) {
        return this;
    }
}
