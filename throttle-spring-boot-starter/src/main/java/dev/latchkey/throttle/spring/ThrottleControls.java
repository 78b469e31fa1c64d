package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.bucket.BucketRate;
import dev.latchkey.throttle.Throttle;
import dev.latchkey.throttle.ThrottleScope;
import dev.latchkey.throttle.ThrottleSnapshot;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shows and changes the rates of a service's throttles at run time; used by JMX and the actuator.
 *
 * <p>A changed rate applies immediately, also to waiting requests. Safe for use by any number of threads.
 */
public final class ThrottleControls {

    private final Map<String, Throttle> throttles = new TreeMap<>();

    ThrottleControls(Collection<ThrottleRule> rules) {
        rules.forEach(rule -> throttles.put(rule.name(), rule.throttle()));
    }

    /**
     * The settings and counts of each throttle.
     *
     * @return sorted by name
     */
    public List<ThrottleSnapshot> snapshots() {
        return throttles.values().stream().map(Throttle::snapshot).toList();
    }

    /**
     * The settings and counts of a throttle.
     *
     * @param name of the throttle
     * @return the present state
     * @throws IllegalArgumentException if there is no throttle with this name; the message contains all names
     */
    public ThrottleSnapshot snapshot(String name) {
        return named(name).snapshot();
    }

    /**
     * Changes a rate, or sets a new rate.
     *
     * @param name of the throttle
     * @param scope of the rate: for each user, for each client IP, or for all requests together
     * @param rate from now on
     * @throws IllegalArgumentException if there is no throttle with this name; the message contains all names
     */
    public void changeRate(String name, ThrottleScope scope, BucketRate rate) {
        named(name).changeRate(scope, rate);
    }

    /**
     * Removes a limit. Requests that already wait still pass at the old rate.
     *
     * @param name of the throttle
     * @param scope of the rate: for each user, for each client IP, or for all requests together
     * @throws IllegalArgumentException if there is no throttle with this name; the message contains all names
     */
    public void removeRate(String name, ThrottleScope scope) {
        named(name).removeRate(scope);
    }

    private Throttle named(String name) {
        Throttle throttle = throttles.get(name);
        if (throttle == null) {
            throw new IllegalArgumentException("No throttle '" + name + "'; there are " + throttles.keySet());
        }
        return throttle;
    }
}
