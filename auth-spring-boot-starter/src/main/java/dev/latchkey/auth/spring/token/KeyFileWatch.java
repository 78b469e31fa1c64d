package dev.latchkey.auth.spring.token;

import dev.latchkey.auth.DaemonThreads;
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
 * Reads the key files at an interval, while the service runs.
 *
 * <p>Reading a few bytes finds every kind of change: an overwritten file, a replaced file, or a Kubernetes secret with links
 * swapped two directories up. Notifications of operating systems miss some changes, and network file systems send none. The
 * thread lives from start to stop.
 */
final class KeyFileWatch implements SmartLifecycle {

    static final String THREAD_NAME = "latchkey-key-files";

    private static final Logger LOG = LoggerFactory.getLogger(KeyFileWatch.class);

    private final SigningKeyRotation rotation;
    private final Duration interval;
    private @Nullable ScheduledExecutorService thread;

    /** Used by a single thread at a time. */
    private volatile boolean hasFailed;

    KeyFileWatch(SigningKeyRotation rotation, Duration interval) {
        this.rotation = rotation;
        this.interval = interval;
    }

    /** Does not start without files or with an interval of zero. */
    @Override
    public boolean isAutoStartup() {
        return rotation.hasFiles() && !interval.isZero();
    }

    /** A restart of the context starts all beans, automatic or not. */
    @Override
    public synchronized void start() {
        if (thread == null && isAutoStartup()) {
            thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.of(KeyFileWatch.class, THREAD_NAME));
            long millis = interval.toMillis();
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

    /** An exception or error would silently end the schedule. Logged once until the next success. */
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
