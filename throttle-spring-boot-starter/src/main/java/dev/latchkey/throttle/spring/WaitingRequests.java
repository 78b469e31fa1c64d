package dev.latchkey.throttle.spring;

import dev.latchkey.auth.guard.source.ClientSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits the requests that wait for throttles on servlets, each on its own thread.
 *
 * <p>A request waits on its own thread, because filters leave the user, a tenant or a transaction on the thread. An
 * asynchronous dispatch would not restore them. A waiting thread serves no other request. Therefore only some of a
 * server's threads may wait, and one caller has at most half of them. A request without a place passes only if its
 * tokens are available.
 *
 * <p>Safe for use by any number of threads.
 */
final class WaitingRequests {

    /** A user, or the client IP of a request without a user. */
    record Caller(@Nullable String principal, @Nullable ClientSource source) {

        static Caller of(@Nullable String principal, ClientSource source) {
            return new Caller(principal, principal == null ? source : null);
        }
    }

    private final int most;
    private final Map<Caller, Integer> callers = new HashMap<>();
    private int waiting;

    /** @param most the largest number of waiting requests, at least 1 */
    WaitingRequests(int most) {
        this.most = most;
    }

    /** Takes a place for a request; false if there is no place. If true, call {@link #leave} once. */
    synchronized boolean enter(Caller caller) {
        int own = callers.getOrDefault(caller, 0);
        if (waiting == most || own >= Math.max(1, most / 2)) {
            return false;
        }
        callers.put(caller, own + 1);
        waiting++;
        return true;
    }

    synchronized void leave(Caller caller) {
        callers.computeIfPresent(caller, (any, own) -> own == 1 ? null : own - 1);
        waiting--;
    }
}
