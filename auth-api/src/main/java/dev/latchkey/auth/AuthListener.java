package dev.latchkey.auth;

/**
 * Is told what {@link AuthChain} decided; for audit and metrics.
 *
 * <p>Called on the thread that asked, so it must be quick and must not block. What it throws is logged and changes no
 * decision. Safe for use by any number of threads.
 */
@FunctionalInterface
public interface AuthListener {

    void on(AuthEvent event);
}
