package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.auth.guard.bucket.PortionStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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
    private final Supplier<List<String>> missingRights;
    private volatile boolean isRunning;

    /** @param missingRights asks the store which rights its user lacks */
    PortionsAtTheStart(PortionStore store, Supplier<List<String>> missingRights) {
        this.store = store;
        this.missingRights = missingRights;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        requireRights();
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

    private void requireRights() {
        List<String> missing = List.of();
        try {
            missing = CompletableFuture.supplyAsync(missingRights).get(LONGEST.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Redis was not asked at the start for the rights of its user", e);
        }
        if (!missing.isEmpty()) {
            String rights = String.join(" ", missing);
            throw new ThrottleConfigurationException(
                    "The Redis user of this service lacks rights that shared throttles need: " + rights,
                    "Add these rights to the user: ACL SETUSER <user> " + rights
                            + ". The README of auth-redis has the whole user.");
        }
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
