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
 * Calls a shared store once before the server accepts requests. The first connection takes longer than a login waits. Without
 * this call, the first logins would use local limits.
 */
final class BucketsAtTheStart implements SmartLifecycle {

    /** After this time, the service starts with local limits. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** Returning a token to a full bucket changes nothing. */
    private static final BucketPolicy FULL = BucketPolicy.of("start", LimitWindow.of(1, Duration.ofSeconds(1)));

    private static final Logger LOG = LoggerFactory.getLogger(BucketsAtTheStart.class);

    private final Runnable rights;
    private final BucketStore store;
    private volatile boolean isRunning;

    /**
     * @param rights checks the rights of the store's user, and throws if a right is missing
     */
    BucketsAtTheStart(BucketStore store, Runnable rights) {
        this.rights = rights;
        this.store = store;
    }

    /** After connections, and before servers. */
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
            // The first login logs the outage, and the limits are local.
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
