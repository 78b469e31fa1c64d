package dev.latchkey.auth.spring.operations;

import java.util.List;
import java.util.Map;

/**
 * The limits of failed logins as JMX shows them. A bucket has the name that {@link dev.latchkey.auth.guard.login.LoginBucket} gives it, in small
 * letters: {@code account_and_source}, say.
 *
 * <p>Public because JMX demands it; to change limits from code, use {@link dev.latchkey.auth.guard.login.LoginLimits#change}.
 */
public interface LoginLimitsMXBean {

    /**
     * The windows that hold now, by bucket.
     *
     * @return each window as {@code tokens per seconds}
     */
    Map<String, List<String>> getWindows();

    /**
     * How many logins wait behind others now.
     *
     * @return logins
     */
    int getWaiting();

    /**
     * How many sources are remembered, as having logged in or failed.
     *
     * @return sources
     */
    long getRemembered();

    /**
     * How many logins were let through.
     *
     * @return logins since the start
     */
    long getAdmitted();

    /**
     * How many logins were refused, by the limit that they met.
     *
     * @return logins since the start
     */
    Map<String, Long> getRefused();

    /**
     * Changes one window of a bucket; it holds at once, and the share of each bucket that is spent stays spent.
     *
     * @param bucket whose window it is, in capitals or small letters, with hyphens or underscores
     * @param window counted from 0, in the order in which they are shown
     * @param tokens failures that a full bucket allows, refilled evenly in each period
     * @param perSeconds the period in seconds
     * @throws IllegalArgumentException if there is no such bucket or window or a number is out of range
     */
    void changeWindow(String bucket, int window, long tokens, long perSeconds);
}
