package dev.latchkey.auth.redis;

import java.time.Duration;
import java.util.Objects;

/**
 * How the stores use Redis.
 *
 * @param keyPrefix what each key and channel begins with: services that do not share their tokens need different ones
 * @param deadline how long a call may take, from the asking to the answer; after that it is an outage
 * @param waitForReplicas how many replicas must have what was made of a login before anybody is told, within half of the deadline; zero waits for none. Revocations
 *     need none: after a failover the nodes give them back
 */
public record RedisSettings(String keyPrefix, Duration deadline, int waitForReplicas) {

    /** More than that nobody has. */
    private static final int MOST_REPLICAS = 100;

    /** Later than that nobody waits, and readers of positions need not (see {@code SharedRevocationStore.LATEST_SECONDS}). */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /**
     * @throws IllegalArgumentException if the prefix is empty or has braces or white space, the deadline is not from one millisecond to ten seconds, or the
     *     replicas are fewer than none or more than a hundred
     */
    public RedisSettings {
        Objects.requireNonNull(keyPrefix, "keyPrefix");
        if (!keyPrefix.matches("[^\\s{}]{1,200}")) {
            // Braces choose the slot of a Cluster, and this store chooses it itself.
            throw new IllegalArgumentException(
                    "A key prefix has 1 to 200 characters, and neither braces nor white space, got '" + keyPrefix
                            + "'");
        }
        if (deadline.compareTo(Duration.ofMillis(1)) < 0 || deadline.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "A deadline must be from one millisecond to ten seconds, got " + deadline);
        }
        if (waitForReplicas < 0 || waitForReplicas > MOST_REPLICAS) {
            throw new IllegalArgumentException("Replicas to wait for are none to a hundred, got " + waitForReplicas);
        }
    }

    /** The prefix {@code latchkey:}, one second for each call, and no replica to wait for. */
    public static RedisSettings defaults() {
        return new RedisSettings("latchkey:", Duration.ofSeconds(1), 0);
    }

    /** These, with keys that begin so. */
    public RedisSettings withKeyPrefix(String prefix) {
        return new RedisSettings(prefix, deadline, waitForReplicas);
    }

    /** These, with so long for each call. */
    public RedisSettings withDeadline(Duration longest) {
        return new RedisSettings(keyPrefix, longest, waitForReplicas);
    }

    /** These, with so many replicas that must have what was made of a login. */
    public RedisSettings withWaitForReplicas(int number) {
        return new RedisSettings(keyPrefix, deadline, number);
    }
}
