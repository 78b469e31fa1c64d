package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The state of the guard for health: a lost store of limits, and recent refusals for want of a permit. */
final class Outages implements GuardListener {

    static final Duration REMEMBERED = Duration.ofSeconds(30);

    private final InstantSource clock;
    private volatile boolean isStoreOfLimitsLost;
    private volatile Instant lastRefusal = Instant.MIN;

    Outages(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void on(GuardEvent event) {
        if (event instanceof GuardEvent.StoreLost) {
            isStoreOfLimitsLost = true;
        } else if (event instanceof GuardEvent.StoreFound) {
            isStoreOfLimitsLost = false;
        } else if (event instanceof GuardEvent.HashRefused) {
            lastRefusal = clock.instant();
        }
    }

    /** Whether the shared store of limits is down. Each node then applies its own limits. */
    boolean isStoreOfLimitsLost() {
        return isStoreOfLimitsLost;
    }

    /** Whether a hash was refused lately for want of a permit. */
    boolean hasRefusedHashes() {
        return !lastRefusal.isBefore(clock.instant().minus(REMEMBERED));
    }
}
