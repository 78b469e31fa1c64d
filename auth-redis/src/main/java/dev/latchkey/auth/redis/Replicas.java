package dev.latchkey.auth.redis;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Waits after a write until this number of replicas has the session's change. The caller gets its answer afterwards.
 */
final class Replicas {

    private final RedisConnectionFactory connections;
    private final int number;
    private final Duration longest;
    private final String written;

    private Replicas(RedisConnectionFactory connections, int number, Duration longest, String written) {
        this.connections = connections;
        this.number = number;
        this.longest = longest;
        this.written = written;
    }

    /**
     * @throws IllegalArgumentException if waiting is configured, but the connections are not Lettuce connections to one
     *     primary
     */
    static Replicas of(RedisConnectionFactory connections, RedisSettings settings) {
        if (settings.waitForReplicas() > 0) {
            requireOnePrimary(connections);
        }
        return new Replicas(
                connections, settings.waitForReplicas(), half(settings.deadline()), settings.keyPrefix() + "written");
    }

    private static void requireOnePrimary(RedisConnectionFactory connections) {
        if (!(connections instanceof LettuceConnectionFactory lettuce)) {
            throw new IllegalArgumentException("To wait for replicas takes a LettuceConnectionFactory, and this is a "
                    + connections.getClass().getName());
        }
        if (lettuce.isClusterAware()) {
            throw new IllegalArgumentException(
                    "To wait for replicas takes one primary, as with Sentinel, and this is a Cluster");
        }
    }

    /**
     * Half of the deadline, at least 1 ms: Redis waits without end for zero. The other half is for the rest of the
     * call, so that a failure names the missing replicas, not the time limit.
     */
    private static Duration half(Duration deadline) {
        return Duration.ofMillis(Math.max(1, deadline.toMillis() / 2));
    }

    /** The same, but waits at most half of this deadline. */
    Replicas within(Duration deadline) {
        Duration half = half(deadline);
        return half.compareTo(longest) < 0 ? new Replicas(connections, number, half, written) : this;
    }

    /** Whether waiting is configured. */
    boolean areAwaited() {
        return number > 0;
    }

    /**
     * Waits for replicas that have this session with this token, or with a later replacement of this token.
     *
     * @return false if the replicas have another state: another node was faster, or a failover restored the old token.
     *     The caller must read again
     * @throws AuthUnavailableException if too few replicas confirm in time
     */
    boolean awaitReplaced(String login, String tokenHash) {
        return await(List.of(login, written), List.of("replaced", tokenHash));
    }

    /**
     * Waits for replicas that have the session with this token, also in its owner's list.
     *
     * @throws AuthUnavailableException if too few replicas confirm in time, or the session has another state
     */
    void awaitStarted(String login, String tokenHash, String list, String member) {
        requireSo(await(List.of(login, written, list), List.of("started", tokenHash, member)));
    }

    /** As {@link #awaitStarted}, for the absence of the session. */
    void awaitEnded(String login) {
        requireSo(await(List.of(login, written), List.of("ended")));
    }

    private static void requireSo(boolean isSo) {
        if (!isSo) {
            throw AuthUnavailableException.outage(
                    "Redis has something else than was just written, as after a failover");
        }
    }

    private boolean await(List<String> keys, List<String> arguments) {
        if (!areAwaited()) {
            return true;
        }
        ConfirmedLogin confirmed = ConfirmedLogin.ask(connections, keys, arguments, number, longest);
        if (!confirmed.isOneConnection()) {
            throw AuthUnavailableException.outage(
                    "The connection to Redis was opened anew before its replicas had answered");
        }
        if (confirmed.replicas() < number) {
            throw AuthUnavailableException.outage("Of " + number + " replicas to wait for, " + confirmed.replicas()
                    + " had what was written within " + longest.toMillis() + " milliseconds");
        }
        return confirmed.isSo();
    }
}
