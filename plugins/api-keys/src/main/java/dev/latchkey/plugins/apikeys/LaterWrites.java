package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.DaemonThreads;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes in the background, such as the last use of a key. No request waits for these writes or fails with them. The
 * single thread ends while there is nothing to write. Beyond the limit, writes are dropped. Each outage is logged once.
 */
final class LaterWrites implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LaterWrites.class);

    private static final int MOST_WAITING = 10_000;
    private static final int IDLE_SECONDS = 10;
    private static final int CLOSING_SECONDS = 3;

    private final AtomicBoolean isFailing = new AtomicBoolean();
    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WAITING),
            DaemonThreads.of(LaterWrites.class, "latchkey-api-keys"),
            new ThreadPoolExecutor.DiscardPolicy());

    LaterWrites() {
        thread.allowCoreThreadTimeOut(true);
    }

    void add(Runnable write) {
        thread.execute(() -> run(write));
    }

    private void run(Runnable write) {
        try {
            write.run();
            isFailing.set(false);
        } catch (AuthUnavailableException e) {
            if (!isFailing.getAndSet(true)) {
                LOG.warn("The last use of API keys is not recorded at the moment: {}", e.getMessage(), e);
            }
        } catch (RuntimeException e) {
            LOG.warn("The last use of an API key was not recorded", e);
        }
    }

    /** Ends the thread after the pending writes, at most after three seconds. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
