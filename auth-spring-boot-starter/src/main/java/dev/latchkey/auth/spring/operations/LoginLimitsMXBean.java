package dev.latchkey.auth.spring.operations;

import java.util.List;
import java.util.Map;

/**
 * The limits of failed logins as JMX shows them. Buckets are {@code source}, {@code account_and_source}, {@code account},
 * {@code slow_lane} and {@code fresh_lane}.
 *
 * <p>Public because JMX demands it; to change limits from code, use {@link dev.latchkey.auth.guard.login.LoginLimits#change}.
 */
public interface LoginLimitsMXBean {

    /** The windows that hold now, by bucket, each as {@code tokens per seconds}. */
    Map<String, List<String>> getWindows();

    /** Logins that wait behind others now. */
    int getWaiting();

    /** Sources that are remembered, as having logged in or failed. */
    long getRemembered();

    /** Logins that were let through since the start. */
    long getAdmitted();

    /** Logins that were refused since the start, by the limit that they met. */
    Map<String, Long> getRefused();

    /**
     * Changes one window of a bucket; it holds at once, and the share of each bucket that is spent stays spent.
     *
     * @param window counted from 0, in the order in which they are shown
     * @param tokens failures that a full bucket allows, refilled evenly in each period
     * @param perSeconds the period in seconds
     * @throws IllegalArgumentException if there is no such bucket or window or a number is out of range
     */
    void changeWindow(String bucket, int window, long tokens, long perSeconds);
}
