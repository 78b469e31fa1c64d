package dev.latchkey.auth.spring.account;

import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All listeners as one; one that fails keeps the others from nothing. */
final class LoginListeners implements LoginListener {

    private static final Logger LOG = LoggerFactory.getLogger(LoginListener.class);

    private final List<LoginListener> listeners;

    LoginListeners(List<LoginListener> listeners) {
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

    private void tell(Consumer<LoginListener> event) {
        for (LoginListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.error("A listener to the ends of logins failed: {}", listener.getClass(), e);
            }
        }
    }
}
