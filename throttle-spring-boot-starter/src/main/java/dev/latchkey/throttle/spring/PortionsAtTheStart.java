package dev.latchkey.throttle.spring;

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
 * Asks Redis once before the server accepts requests, for the rights of the service's user. A first connection takes longer
 * than the limit of a request. Without this question, the throttles would start with the rates of this node alone.
 */
final class PortionsAtTheStart implements SmartLifecycle {

    /** Connections start earlier, and servers in later phases. */
    private static final int PHASE = 1;

    /** If the store does not answer within this time, the service starts with the rates of this node alone. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(PortionsAtTheStart.class);

    private final Supplier<List<String>> missingRights;
    private volatile boolean isRunning;

    /** @param missingRights asks the store for the missing rights of its user */
    PortionsAtTheStart(Supplier<List<String>> missingRights) {
        this.missingRights = missingRights;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void start() {
        requireRights();
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
