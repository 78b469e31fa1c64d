package dev.latchkey.auth.guard;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The running calls of all plugins of a service. A plugin may take half of the threads that the other plugins leave. So some
 * threads stay free for all other requests, even if several backends hang at once.
 *
 * <p>Safe for use by any number of threads.
 */
public final class PluginCalls {

    private static final Duration A_MOMENT = Duration.ofSeconds(1);

    private final int threads;
    private final long moment;
    private final LongSupplier nanos;

    /** Guards all numbers of running calls, and all fields of {@link OfPlugin}. */
    private final Lock lock = new ReentrantLock();

    private int running;

    private PluginCalls(int threads, Duration moment, LongSupplier nanos) {
        this.threads = threads;
        this.moment = moment.toNanos();
        this.nanos = nanos;
    }

    /**
     * Creates a count for the plugins of one service.
     *
     * @param threads the number of threads that call plugins
     * @return a count without running calls
     * @throws IllegalArgumentException if there is no thread
     */
    public static PluginCalls on(int threads) {
        return on(threads, A_MOMENT, System::nanoTime);
    }

    /** @param moment the longest wait of a call for its turn, and the shortest time of a slow call */
    static PluginCalls on(int threads, Duration moment, LongSupplier nanos) {
        if (threads < 1) {
            throw new IllegalArgumentException("Plugins need at least 1 thread, got " + threads);
        }
        return new PluginCalls(threads, moment, nanos);
    }

    /**
     * The calls of one plugin.
     *
     * @param most the plugin's own limit
     * @param shares whether the plugin leaves threads to the rest of the service; without sharing, only {@code most}
     *     counts
     */
    OfPlugin ofPlugin(int most, boolean shares) {
        return new OfPlugin(most, shares);
    }

    /** The calls of one plugin. */
    final class OfPlugin {

        private final int most;
        private final boolean shares;
        private final AtomicInteger ofPlugin = new AtomicInteger();
        private final Condition ended = lock.newCondition();
        private int waiting;
        private long lastBegun = nanos.getAsLong();
        private long slowUntil = lastBegun;

        private OfPlugin(int most, boolean shares) {
            this.most = most;
            this.shares = shares;
        }

        int running() {
            return ofPlugin.get();
        }

        /** Begins a call, if the plugin may have one more. A call always begins while no other call runs. */
        boolean begin() {
            lock.lock();
            try {
                int share = (threads - (running - ofPlugin.get())) / 2;
                boolean isFirst = running == 0;
                if (!isFirst && ofPlugin.get() >= (shares ? Math.min(most, share) : most)) {
                    return false;
                }
                ofPlugin.incrementAndGet();
                running++;
                lastBegun = nanos.getAsLong();
                return true;
            } finally {
                lock.unlock();
            }
        }

        /**
         * As {@link #begin}, but waits for the end of another call, until a moment after the last call began. While calls are
         * short, each waiting call has its turn, before later calls. If no call began for a moment, or if a slow call ended
         * within the last moment, the backend may hang. Then this method does not wait.
         */
        boolean beginInTurn() {
            lock.lock();
            try {
                long now = nanos.getAsLong();
                long left = lastBegun + moment - now;
                boolean mayWait = left > 0 && now - slowUntil >= 0;
                if ((waiting == 0 || !mayWait) && begin()) {
                    return true;
                }
                return mayWait && beginWithin(left);
            } finally {
                lock.unlock();
            }
        }

        private boolean beginWithin(long longest) {
            waiting++;
            try {
                long left = longest;
                while (left > 0) {
                    left = ended.awaitNanos(left);
                    if (begin()) {
                        return true;
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                waiting--;
            }
            return false;
        }

        /** @param begun the time of {@link #now} at the beginning of the call */
        void end(long begun) {
            lock.lock();
            try {
                ofPlugin.decrementAndGet();
                running--;
                long now = nanos.getAsLong();
                if (now - begun >= moment) {
                    slowUntil = now + moment;
                }
                ended.signal();
            } finally {
                lock.unlock();
            }
        }

        long now() {
            return nanos.getAsLong();
        }
    }
}
