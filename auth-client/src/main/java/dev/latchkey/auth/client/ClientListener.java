package dev.latchkey.auth.client;

/**
 * Receives an event for each login and each refusal, so that a service can count them.
 *
 * <p>Called on the thread on which it happened, which may be one that others wait for, so it must be quick and must not block. What it throws is logged and changes nothing. Safe for use by any
 * number of threads.
 */
@FunctionalInterface
public interface ClientListener {

    /**
     * Called once for each event, on the thread on which it happened.
     *
     * @param event what happened, without credentials
     */
    void on(ClientEvent event);
}
