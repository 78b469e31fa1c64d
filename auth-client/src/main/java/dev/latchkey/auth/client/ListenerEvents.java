package dev.latchkey.auth.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports events to the listener and changes to the log: the first failed login with its reason, and the next success.
 */
final class ListenerEvents {

    private static final Logger LOG = System.getLogger(TokenAuthorizer.class.getName());

    private final ClientListener listener;
    private final AtomicBoolean isFailing = new AtomicBoolean();

    ListenerEvents(ClientListener listener) {
        this.listener = listener;
    }

    /** A failing listener has no effect. */
    void tell(ClientEvent event) {
        try {
            listener.on(event);
        } catch (RuntimeException | Error e) {
            LOG.log(Level.WARNING, listener.getClass().getName() + " failed while it was told of a login", e);
        }
    }

    void failed(LoginFailedException failure) {
        if (isFailing.compareAndSet(false, true)) {
            LOG.log(Level.WARNING, "No token: " + failure.getMessage());
        }
        tell(new ClientEvent.LoginFailed(failure.kind(), failure.retryAfter().orElseThrow()));
    }

    void succeeded(ClientEvent event, LoginEndpoint endpoint) {
        if (isFailing.compareAndSet(true, false)) {
            LOG.log(Level.INFO, "The login at " + endpoint + " works again");
        }
        tell(event);
    }

    void notRetried(ClientEvent.NotRetried.Reason reason) {
        LOG.log(
                Level.DEBUG,
                () -> reason == ClientEvent.NotRetried.Reason.BODY
                        ? "A request was refused and is not sent again: its body cannot be"
                        : "A request was refused and is not sent again: fresh tokens are refused too");
        tell(new ClientEvent.NotRetried(reason));
    }
}
