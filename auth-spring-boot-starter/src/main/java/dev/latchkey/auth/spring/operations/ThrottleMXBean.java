package dev.latchkey.auth.spring.operations;

import dev.latchkey.auth.spring.throttle.ThrottleControls;
import java.util.Map;

/**
 * A throttle as JMX shows it. Scopes are {@code principal}, {@code source} and {@code global}.
 *
 * <p>Public because JMX demands it; to change rates from code, use {@link ThrottleControls}.
 */
public interface ThrottleMXBean {

    /** The rates that hold now, by scope, as {@code tokens per seconds, burst}. */
    Map<String, String> getRates();

    /** How many buckets are remembered, by scope. */
    Map<String, Long> getBuckets();

    /** Requests that wait now. */
    int getWaiting();

    /** Requests or pieces of bodies that passed since the start. */
    long getPassed();

    /** Requests or pieces of bodies that were refused since the start. */
    long getRefused();

    /**
     * Changes a rate, or sets one that there was none of; it holds at once.
     *
     * @param tokens refilled evenly in each period
     * @param perMillis the period in milliseconds
     * @param burst what passes at once after a pause, at least 1
     * @throws IllegalArgumentException if the scope is none or a number is out of range
     */
    void changeRate(String scope, long tokens, long perMillis, long burst);

    /**
     * Ends the limit of a scope.
     *
     * @throws IllegalArgumentException if the scope is none
     */
    void removeRate(String scope);
}
