package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.LocalRevocations;
import dev.latchkey.auth.OutageLog;
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
 * Keeps the copy of revocations up to date while the service runs, and has it read before the server takes a request. A store that does not answer then is in
 * the log and in the service's health, and no token is accepted until it does.
 */
final class RevocationRefresh implements SmartLifecycle {

    static final String THREAD_NAME = "latchkey-revocations";

    /** As the log of other users of the store calls it: one line for all of them. */
    private static final String NAME = "The store of revocations";

    private static final Logger LOG = LoggerFactory.getLogger(RevocationRefresh.class);

    private final LocalRevocations revocations;
    private final Duration interval;
    private final SharedTables tables;
    private final OutageLog outages;
    private @Nullable ScheduledExecutorService thread;

    RevocationRefresh(LocalRevocations revocations, Duration interval, SharedTables tables, OutageLog outages) {
        this.revocations = revocations;
        this.interval = interval;
        this.tables = tables;
        this.outages = outages;
    }

    /** Servers start in late phases, and stop in them first. */
    @Override
    public int getPhase() {
        return 0;
    }

    @Override
    public synchronized void start() {
        if (thread == null) {
            tables.prepare();
            refresh();
            thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread made = new Thread(task, THREAD_NAME);
                made.setDaemon(true);
                return made;
            });
            long nanos = interval.toNanos();
            Future<?> unused = thread.scheduleWithFixedDelay(this::refresh, nanos, nanos, TimeUnit.NANOSECONDS);
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

    /** What is thrown here would end the refreshing without a word. */
    private void refresh() {
        try {
            outages.run(NAME, revocations::refresh);
        } catch (AuthUnavailableException e) {
            // The log has it.
        } catch (RuntimeException e) {
            LOG.error("The copy of revocations could not be brought up to date", e);
        }
    }
}
