package dev.latchkey.auth.spring.shared;

import org.springframework.context.SmartLifecycle;

/**
 * Asks Redis once before the server accepts requests, for the rights of the service's user. The first connection takes longer
 * than a login waits. Without this question, the first logins would use local limits.
 */
final class BucketsAtTheStart implements SmartLifecycle {

    private final Runnable rights;
    private volatile boolean isRunning;

    /**
     * @param rights checks the rights of the store's user, and throws if a right is missing
     */
    BucketsAtTheStart(Runnable rights) {
        this.rights = rights;
    }

    /** After connections, and before servers. */
    @Override
    public int getPhase() {
        return RevocationRefresh.PHASE;
    }

    @Override
    public void start() {
        rights.run();
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
