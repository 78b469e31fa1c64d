package dev.latchkey.auth.spring.account;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls all listeners. After an exception or an error of a listener, the next listener is called. */
public final class LoginListeners implements LoginListener {

    private static final Logger LOG = LoggerFactory.getLogger(LoginListener.class);

    private final List<LoginListener> listeners;

    /**
     * Joins listeners.
     *
     * @param listeners told in this order
     */
    public LoginListeners(List<LoginListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void ended(String subjectId, Cause cause) {
        tell(listener -> listener.ended(subjectId, cause));
    }

    @Override
    public void refused(String subjectId) {
        tell(listener -> listener.refused(subjectId));
    }

    @Override
    public void acting(String actorId, String subjectId) {
        tell(listener -> listener.acting(actorId, subjectId));
    }

    private void tell(Consumer<LoginListener> event) {
        for (LoginListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.error("A login listener failed: {}", listener.getClass(), e);
            }
        }
    }
}
