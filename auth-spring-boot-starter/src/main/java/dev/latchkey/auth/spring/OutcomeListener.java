package dev.latchkey.auth.spring;

import dev.latchkey.auth.AuthEvent;
import dev.latchkey.auth.AuthListener;
import dev.latchkey.auth.Credentials;

/**
 * Keeps from a listener what looks like a plugin that failed and is none: a check that was ended since it came to a hash
 * ({@link HashingNeeded}), and is begun anew with the answer. A login is one event, however often it gave its thread back.
 *
 * <p>What a listener began for one check is told all the same, since it may hold something open.
 */
final class OutcomeListener implements AuthListener {

    private final AuthListener listener;

    OutcomeListener(AuthListener listener) {
        this.listener = listener;
    }

    @Override
    public void on(AuthEvent event) {
        if (!(event instanceof AuthEvent.Failed && GuardedRequest.isEndingItsPass())) {
            listener.on(event);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // whether there is another one to tell, whatever it equals
    public AuthListener begin(Class<? extends Credentials> kind) {
        AuthListener begun = listener.begin(kind);
        return begun == listener ? this : begun;
    }
}
