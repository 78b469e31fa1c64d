package dev.latchkey.auth.client;

/**
 * Receives an event for each login and each rejection, for example to count them.
 *
 * <p>Runs on the thread of the event. Requests may wait for this thread, so the listener must be fast and must not
 * block. An exception is logged and has no other effect. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface ClientListener {

    /**
     * Called once for each event, on the thread of the event.
     *
     * @param event the event, without credentials
     */
    void on(ClientEvent event);
}
