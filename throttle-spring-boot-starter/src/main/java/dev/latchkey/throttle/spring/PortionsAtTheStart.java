package dev.latchkey.throttle.spring;

import dev.latchkey.auth.redis.RedisRights;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/**
 * Asks Redis once before the server accepts requests, for the rights of the service's user. A first connection takes longer
 * than the limit of a request. Without this question, the throttles would start with the rates of this node alone.
 */
final class PortionsAtTheStart implements SmartLifecycle {

    /** Connections start earlier, and servers in later phases. */
    private static final int PHASE = 1;

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
        String rights = String.join(" ", RedisRights.asked(missingRights));
        if (!rights.isEmpty()) {
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
