package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Asks a shared store once before the server takes a request. A first connection takes longer than a login waits, so the limits would begin as those
 * of this node alone.
 */
final class BucketsAtTheStart implements SmartLifecycle {

    /** A service without its store starts after that, with local limits. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** A token that is put back into a bucket that is full: nothing changes. */
    private static final BucketPolicy FULL = BucketPolicy.of("start", LimitWindow.of(1, Duration.ofSeconds(1)));

    private static final Logger LOG = LoggerFactory.getLogger(BucketsAtTheStart.class);

    private final Runnable rights;
    private final BucketStore store;
    private volatile boolean isRunning;

    /** @param rights looks for the rights of the store's user, and throws where one is missing */
    BucketsAtTheStart(BucketStore store, Runnable rights) {
        this.rights = rights;
        this.store = store;
    }

    /** Connections start before, and servers in late phases. */
    @Override
    public int getPhase() {
        return RevocationRefresh.PHASE;
    }

    @Override
    public void start() {
        rights.run();
        try {
            Object unused = store.giveBack(FULL, new BucketKey(0, 0), 1)
                    .toCompletableFuture()
                    .get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The first login says so, and limits are local.
            LOG.debug("A shared store of limits does not answer at the start", e);
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
