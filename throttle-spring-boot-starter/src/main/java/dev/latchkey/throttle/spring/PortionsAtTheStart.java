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
 * Calls the shared store once before the server accepts requests. A first connection takes longer than the limit of a
 * request, so without this call the throttles would start with the rates of this node alone.
 */
final class PortionsAtTheStart implements SmartLifecycle {

    /** Connections start earlier, and servers in later phases. */
    private static final int PHASE = 1;

    /** If the store does not answer within this time, the service starts with the rates of this node alone. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** Returns a token to a full bucket: no change. */
    private static final PortionStore.Bucket FULL =
            new PortionStore.Bucket("start", new BucketKey(0, 0), BucketRate.perSecond(1));

    private static final Logger LOG = LoggerFactory.getLogger(PortionsAtTheStart.class);

    private final PortionStore store;
    private final Supplier<List<String>> missingRights;
    private volatile boolean isRunning;

    /** @param missingRights asks the store for the missing rights of its user */
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
            // The first request will notice and log the outage.
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
