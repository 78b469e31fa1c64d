package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.PortionStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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

    /** That of a throttle. */
    private static final PortionStore.Bucket FULL_PORTIONS =
            new PortionStore.Bucket("start", new BucketKey(0, 0), BucketRate.perSecond(1));

    private final Runnable rights;
    private final Supplier<CompletionStage<?>> question;
    private volatile boolean isRunning;

    private BucketsAtTheStart(Runnable rights, Supplier<CompletionStage<?>> question) {
        this.rights = rights;
        this.question = question;
    }

    /** @param rights looks for the rights of the store's user, and throws where one is missing */
    static BucketsAtTheStart of(BucketStore store, Runnable rights) {
        return new BucketsAtTheStart(rights, () -> store.giveBack(FULL, new BucketKey(0, 0), 1));
    }

    /** @param rights looks for the rights of the store's user, and throws where one is missing */
    static BucketsAtTheStart of(PortionStore store, Runnable rights) {
        return new BucketsAtTheStart(rights, () -> store.giveBack(FULL_PORTIONS, 1));
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
            Object unused = question.get().toCompletableFuture().get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The first login or request says so, and limits are local.
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
