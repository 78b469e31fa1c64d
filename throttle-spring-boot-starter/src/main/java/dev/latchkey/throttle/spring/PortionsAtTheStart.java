package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.PortionStore;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Asks the shared store once before the server takes a request. A first connection takes longer than a request waits, so the throttles would begin as
 * those of this node alone.
 */
final class PortionsAtTheStart implements SmartLifecycle {

    /** Connections start before, and servers in late phases. */
    private static final int PHASE = 1;

    /** A service without its store starts after that, with the rates of this node alone. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** A token that is put back into a bucket that is full: nothing changes. */
    private static final PortionStore.Bucket FULL =
            new PortionStore.Bucket("start", new BucketKey(0, 0), BucketRate.perSecond(1));

    private static final Logger LOG = LoggerFactory.getLogger(PortionsAtTheStart.class);

    private final PortionStore store;
    private volatile boolean isRunning;

    PortionsAtTheStart(PortionStore store) {
        this.store = store;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        try {
            Object unused = store.giveBack(FULL, 1).toCompletableFuture().get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The first request finds out, and the log says so then.
            LOG.debug("The store of shared throttles does not answer at the start", e);
        }
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
