package dev.latchkey.auth.spring.shared;

import org.springframework.context.SmartLifecycle;

/**
 * Asks a store once before the server accepts requests: for its tables, or for the rights of the service's user. The first
 * connection takes longer than a login waits. Without this question, the first logins would lose the store.
 */
final class StoreAtTheStart implements SmartLifecycle {

    private final Runnable check;
    private volatile boolean isRunning;

    /**
     * @param check asks the store; an exception stops the start
     */
    StoreAtTheStart(Runnable check) {
        this.check = check;
    }

    /** After connections, and before servers. */
    @Override
    public int getPhase() {
        return RevocationRefresh.PHASE;
    }

    @Override
    public void start() {
        check.run();
        isRunning = true;
    }

    @Override
    public void stop() {
        isRunning = false;
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }
}
