package dev.latchkey.auth.redis;

import dev.latchkey.auth.DaemonThreads;
import java.time.Duration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Replaces Lettuce's connection if commands get no answer for long. A network may drop a connection without an error.
 * Without a replacement, the commands would then wait until TCP gives up, a quarter of an hour by default.
 *
 * <p>Also replaces the stores' own connection if its Redis has become a replica: the host name may lead to the new
 * primary now, and the old primary may keep its connections. Safe for use by any number of threads.
 */
final class SilentConnection {

    private final RedisConnectionFactory connections;
    private final long longestNanos;
    private int running;
    private boolean isAwaited;
    private long awaitedSince;
    private boolean isOfAReplica;
    private long replicaSince;

    /** @param longest the longest time without an answer to any command */
    SilentConnection(RedisConnectionFactory connections, Duration longest) {
        this.connections = connections;
        this.longestNanos = longest.toNanos();
    }

    synchronized void begins() {
        running++;
        if (!isAwaited) {
            isAwaited = true;
            awaitedSince = System.nanoTime();
        }
    }

    /** @param isTimedOut whether the driver stopped waiting for the answer: the connection may be silent */
    synchronized void ends(boolean isTimedOut) {
        running--;
        if (!isTimedOut) {
            isAwaited = running > 0;
            awaitedSince = System.nanoTime();
        }
    }

    /** Notes that Redis rejected a write as a replica. */
    synchronized void isOfAReplica() {
        if (!isOfAReplica && connections instanceof StoreLettuce) {
            isOfAReplica = true;
            replicaSince = System.nanoTime();
        }
    }

    /**
     * Closes a silent connection, or a connection to a replica, and ends its commands. The next command opens another
     * connection. Returns at once.
     */
    void replaceIfSilent() {
        if ((isSilent() || isOfAReplicaForLong()) && connections instanceof LettuceConnectionFactory lettuce) {
            // A command that opens a connection holds the driver's lock.
            DaemonThreads.of(SilentConnection.class, "latchkey-redis-silent")
                    .newThread(() -> replace(lettuce))
                    .start();
        }
    }

    private static void replace(LettuceConnectionFactory lettuce) {
        if (lettuce instanceof StoreLettuce own) {
            own.startAnew();
        } else {
            lettuce.resetConnection();
        }
    }

    /** Only after a while: without a new primary, each call would otherwise open a connection. */
    private synchronized boolean isOfAReplicaForLong() {
        boolean isForLong = isOfAReplica && System.nanoTime() - replicaSince > longestNanos;
        if (isForLong) {
            isOfAReplica = false;
        }
        return isForLong;
    }

    private synchronized boolean isSilent() {
        if (connections instanceof StoreLettuce own) {
            if (own.isConnecting()) {
                // A new client would start with the first Sentinel again, and never reach the next Sentinel.
                return false;
            }
            if (own.connectedAt() - awaitedSince > 0) {
                // The earlier commands wait for an earlier connection.
                isAwaited = running > 0;
                awaitedSince = own.connectedAt();
            }
        }
        boolean isSilent = isAwaited && System.nanoTime() - awaitedSince > longestNanos;
        if (isSilent) {
            // The new connection gets the same time.
            isAwaited = running > 0;
            awaitedSince = System.nanoTime();
        }
        return isSilent;
    }
}
