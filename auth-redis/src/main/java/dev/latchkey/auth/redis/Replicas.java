package dev.latchkey.auth.redis;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Duration;
import java.util.List;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Sees to it that so many replicas have what was made of a login, after it was written and before anybody is told. */
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

    /** @throws IllegalArgumentException if there is something to wait for, and these are no connections to one primary by Lettuce */
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

    /** The other half is the rest of the call's: so it says what is missing, and not that it took too long. Zero would be without end. */
    private static Duration half(Duration deadline) {
        return Duration.ofMillis(Math.max(1, deadline.toMillis() / 2));
    }

    /** The same, in half of that time where it is shorter. */
    Replicas within(Duration deadline) {
        Duration half = half(deadline);
        return half.compareTo(longest) < 0 ? new Replicas(connections, number, half, written) : this;
    }

    /** Whether anything is waited for. */
    boolean areAwaited() {
        return number > 0;
    }

    /**
     * Returns when they have this login with this token, or with the one that has replaced this one since.
     *
     * @return false where they have something else: another node was faster, or a failover took the token back. Who asks has to read again
     * @throws AuthUnavailableException if too few say so in time
     */
    boolean awaitReplaced(String login, String tokenHash) {
        return await(List.of(login, written), List.of("replaced", tokenHash));
    }

    /**
     * Returns when they have the login with this token, and in its owner's list too.
     *
     * @throws AuthUnavailableException if too few say so in time, or the login is another one
     */
    void awaitStarted(String login, String tokenHash, String list, String member) {
        requireSo(await(List.of(login, written, list), List.of("started", tokenHash, member)));
    }

    /** As {@link #awaitStarted}, and what they have is that there is no such login. */
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
