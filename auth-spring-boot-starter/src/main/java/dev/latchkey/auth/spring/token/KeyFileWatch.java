package dev.latchkey.auth.spring.token;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Looks at the key files from time to time, while the service runs.
 *
 * <p>Reading a few bytes at each look finds every way in which a file can change: overwritten, replaced, or a Kubernetes secret
 * whose links are swapped two directories up. Operating systems' notices miss some of them, and network file systems send none.
 * The one thread lives from start to stop.
 */
final class KeyFileWatch implements SmartLifecycle {

    static final String THREAD_NAME = "latchkey-key-files";

    private static final Logger LOG = LoggerFactory.getLogger(KeyFileWatch.class);

    private final SigningKeyRotation rotation;
    private final Duration interval;
    private @Nullable ScheduledExecutorService thread;

    /** Read and written by the one thread, or by one after the other. */
    private volatile boolean hasFailed;

    KeyFileWatch(SigningKeyRotation rotation, Duration interval) {
        this.rotation = rotation;
        this.interval = interval;
    }

    /** Does not start where there is nothing to look at, or nobody wants it to. */
    @Override
    public boolean isAutoStartup() {
        return rotation.hasFiles() && !interval.isZero() && !interval.isNegative();
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread made = new Thread(task, THREAD_NAME);
                made.setDaemon(true);
                return made;
            });
            long millis = Math.max(1, interval.toMillis());
            Future<?> unused = thread.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public synchronized void stop() {
        if (thread != null) {
            thread.shutdownNow();
            thread = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    /** What is thrown here, an error too, would end the looking without a word. It is logged once until a look succeeds. */
    private void look() {
        try {
            rotation.reload();
            hasFailed = false;
        } catch (Throwable e) {
            if (!hasFailed) {
                LOG.error("The key files could not be looked at", e);
            }
            hasFailed = true;
        }
    }
}
