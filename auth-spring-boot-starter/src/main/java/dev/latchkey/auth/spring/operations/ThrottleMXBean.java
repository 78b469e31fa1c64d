package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.spring.throttle.ThrottleControls;
import java.util.Map;

/**
 * A throttle as JMX shows it. Scopes are {@code principal}, {@code source} and {@code global}.
 *
 * <p>Public because JMX demands it; to change rates from code, use {@link ThrottleControls}.
 */
public interface ThrottleMXBean {

    /**
     * The rates that hold now, by scope.
     *
     * @return each rate as {@code tokens per seconds, burst}
     */
    Map<String, String> getRates();

    /**
     * How many buckets are remembered, by scope.
     *
     * @return one bucket for each caller, one for each source, and one for all together
     */
    Map<String, Long> getBuckets();

    /**
     * How many requests wait now.
     *
     * @return requests
     */
    int getWaiting();

    /**
     * How many requests or pieces of bodies passed.
     *
     * @return of either since the start
     */
    long getPassed();

    /**
     * How many requests or pieces of bodies were refused.
     *
     * @return of either since the start
     */
    long getRefused();

    /**
     * Changes a rate, or sets one where there was none; it holds at once.
     *
     * @param scope whose rate it is
     * @param tokens refilled evenly in each period
     * @param perMillis the period in milliseconds
     * @param burst what passes at once after a pause, at least 1
     * @throws IllegalArgumentException if the scope is none or a number is out of range
     */
    void changeRate(String scope, long tokens, long perMillis, long burst);

    /**
     * Ends the limit of a scope.
     *
     * @param scope whose limit it is
     * @throws IllegalArgumentException if the scope is none
     */
    void removeRate(String scope);
}
