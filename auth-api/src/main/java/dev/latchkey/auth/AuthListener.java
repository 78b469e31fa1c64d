package dev.latchkey.auth;

/**
 * Is told what {@link AuthChain} decided; for audit and metrics.
 *
 * <p>Called on the thread that asked, so it must be quick and must not block. What it throws, an error included, is logged and
 * changes no decision. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface AuthListener {

    void on(AuthEvent event);

    /**
     * Is told that credentials of this kind are about to be checked; what it returns is told exactly one event, in place of this,
     * on the same thread, however the check ends. For those who measure what lies between, or keep something open during it.
     */
    default AuthListener begin(Class<? extends Credentials> kind) {
        return this;
    }
}
