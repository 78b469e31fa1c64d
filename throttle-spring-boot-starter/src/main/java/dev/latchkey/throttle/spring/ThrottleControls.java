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
 * Shows and changes the rates of a service's throttles while it runs; behind JMX and the actuator.
 *
 * <p>A changed rate holds at once, also for those that wait already. Safe for use by any number of threads.
 */
public final class ThrottleControls {

    private final Map<String, Throttle> throttles = new TreeMap<>();

    ThrottleControls(Collection<ThrottleRule> rules) {
        rules.forEach(rule -> throttles.put(rule.name(), rule.throttle()));
    }

    /**
     * What each throttle is set to and has done.
     *
     * @return sorted by name
     */
    public List<ThrottleSnapshot> snapshots() {
        return throttles.values().stream().map(Throttle::snapshot).toList();
    }

    /**
     * What a throttle is set to and has done.
     *
     * @param name of the throttle
     * @return as it is now
     * @throws IllegalArgumentException if there is no throttle of that name; the message names those that there are
     */
    public ThrottleSnapshot snapshot(String name) {
        return named(name).snapshot();
    }

    /**
     * Changes a rate, or sets one where there was none.
     *
     * @param name of the throttle
     * @param scope whose rate it is: each caller's, each source's, or that of all together
     * @param rate from now on
     * @throws IllegalArgumentException if there is no throttle of that name; the message names those that there are
     */
    public void changeRate(String name, ThrottleScope scope, BucketRate rate) {
        named(name).changeRate(scope, rate);
    }

    /**
     * Ends a limit; requests that wait for it already still pass at its rate.
     *
     * @param name of the throttle
     * @param scope whose rate it is: each caller's, each source's, or that of all together
     * @throws IllegalArgumentException if there is no throttle of that name; the message names those that there are
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
