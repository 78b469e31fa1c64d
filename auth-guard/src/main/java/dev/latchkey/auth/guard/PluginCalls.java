package dev.latchkey.auth.guard;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The running calls of all plugins of a service. A plugin may take half of the threads that the other plugins leave. So some
 * threads stay free for all other requests, even if several backends hang at once.
 *
 * <p>Safe for use by any number of threads.
 */
public final class PluginCalls {

    private final int threads;

    /** Guards all numbers of running calls. */
    private final Lock lock = new ReentrantLock();

    private int running;

    private PluginCalls(int threads) {
        this.threads = threads;
    }

    /**
     * Creates a count for the plugins of one service.
     *
     * @param threads the number of threads that call plugins
     * @return a count without running calls
     * @throws IllegalArgumentException if there is no thread
     */
    public static PluginCalls on(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("Plugins need at least 1 thread, got " + threads);
        }
        return new PluginCalls(threads);
    }

    /**
     * Begins a call, if the plugin may have one more. A call always begins while no other call runs.
     *
     * @param ofPlugin the running calls of the plugin; changed by this class only
     * @param most the plugin's own limit
     * @param shares whether the plugin leaves threads to the rest of the service; without sharing, only {@code most}
     *     counts
     */
    boolean begin(AtomicInteger ofPlugin, int most, boolean shares) {
        lock.lock();
        try {
            int share = (threads - (running - ofPlugin.get())) / 2;
            boolean isFirst = running == 0;
            if (!isFirst && ofPlugin.get() >= (shares ? Math.min(most, share) : most)) {
                return false;
            }
            ofPlugin.incrementAndGet();
            running++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void end(AtomicInteger ofPlugin) {
        lock.lock();
        try {
            ofPlugin.decrementAndGet();
            running--;
        } finally {
            lock.unlock();
        }
    }
}
