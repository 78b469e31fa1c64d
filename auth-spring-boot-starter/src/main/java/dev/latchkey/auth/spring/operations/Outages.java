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
 * Which stores did not answer when they were asked last, and whether logins were refused lately for want of a thread.
 *
 * <p>No store is asked for the sake of health: one that is down is not helped by more questions. So an outage is forgotten when the plugin decides
 * again, or after half a minute in which nobody asked it: a service that is sent no requests because it is ill must be able to recover.
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

    /** The plugins whose store is down, as far as is known. */
    Set<String> plugins() {
        Instant since = clock.instant().minus(REMEMBERED);
        outages.values().removeIf(last -> last.isBefore(since));
        return new TreeSet<>(outages.keySet());
    }

    /** Whether each node counts failed logins alone, because the store that nodes share does not answer. */
    boolean isStoreOfLimitsLost() {
        return isStoreOfLimitsLost;
    }

    /** Whether a hash was refused lately because too many were asked for. */
    boolean hasRefusedHashes() {
        return !lastRefusal.isBefore(clock.instant().minus(REMEMBERED));
    }
}
