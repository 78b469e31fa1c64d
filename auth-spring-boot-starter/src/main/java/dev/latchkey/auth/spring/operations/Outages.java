package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.engine.AuthEvent;
import dev.latchkey.auth.engine.AuthListener;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardListener;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The plugins and stores whose last call failed, and recent refusals for want of a permit.
 *
 * <p>Health calls no store: more calls do not help a store that is down. An outage ends with the plugin's next decision, or after
 * half a minute without calls. A service without traffic must be able to recover.
 */
final class Outages implements AuthListener, GuardListener {

    static final Duration REMEMBERED = Duration.ofSeconds(30);

    private final InstantSource clock;
    private final Map<String, Instant> outages = new ConcurrentHashMap<>();
    private volatile boolean isStoreOfLimitsLost;
    private volatile Instant lastRefusal = Instant.MIN;

    Outages(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void on(AuthEvent event) {
        if (event instanceof AuthEvent.Unavailable unavailable) {
            undecided(unavailable.plugin(), unavailable.cause());
        } else if (event instanceof AuthEvent.AccessUnavailable unavailable) {
            undecided(unavailable.plugin(), unavailable.cause());
        } else if (event instanceof AuthEvent.OutageReported reported) {
            undecided(reported.plugin(), AuthUnavailableException.Kind.OUTAGE);
        } else if (event instanceof AuthEvent.Decided decided) {
            outages.remove(decided.plugin());
        } else if (event instanceof AuthEvent.AccessDecided decided) {
            outages.remove(decided.plugin());
        }
    }

    private void undecided(String plugin, AuthUnavailableException.Kind cause) {
        if (cause == AuthUnavailableException.Kind.OUTAGE) {
            outages.put(plugin, clock.instant());
        }
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

    /** The plugins with a current outage. */
    Set<String> plugins() {
        Instant since = clock.instant().minus(REMEMBERED);
        outages.values().removeIf(last -> last.isBefore(since));
        return new TreeSet<>(outages.keySet());
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
