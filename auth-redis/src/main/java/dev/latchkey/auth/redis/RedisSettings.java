package dev.latchkey.auth.redis;

import dev.latchkey.auth.store.ServiceName;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of the Redis stores.
 *
 * @param keyPrefix the start of each key and channel, including the service's name; keys with other prefixes belong to
 *     other services
 * @param deadline the longest time of a call, from the question to the answer; later the call is an outage
 * @param waitForReplicas the number of replicas that must have a session's change before the answer, within half of the
 *     deadline; zero waits for none. Revocations need none: after a failover the nodes restore them
 */
public record RedisSettings(String keyPrefix, Duration deadline, int waitForReplicas) {

    /** More replicas than any service has. */
    private static final int MOST_REPLICAS = 100;

    /**
     * The longest useful wait, which also limits readers of positions (see
     * {@code SharedRevocationStore.LATEST_SECONDS}).
     */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /**
     * @param keyPrefix the start of each key and channel, including the service's name; keys with other prefixes belong
     *     to other services
     * @param deadline the longest time of a call, from the question to the answer; later the call is an outage
     * @param waitForReplicas the number of replicas that must have a session's change before the answer, within half of
     *     the deadline; zero waits for none. Revocations need none: after a failover the nodes restore them
     * @throws IllegalArgumentException if the prefix is empty, has more than 301 characters, or has braces or white
     *     space. Also if the deadline is not from one millisecond to ten seconds, or the number of replicas is not from
     *     0 to 100
     */
    public RedisSettings {
        Objects.requireNonNull(keyPrefix, "keyPrefix");
        if (!keyPrefix.matches("[^\\s{}]{1,301}")) {
            // Braces choose the slot of a Cluster, and this store chooses the slot.
            throw new IllegalArgumentException(
                    "A key prefix has 1 to 301 characters, and neither braces nor white space, got '" + keyPrefix
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

    /**
     * The prefix {@code latchkey:}, the service's name and a colon; one second for each call, and no waiting for
     * replicas.
     *
     * @param service the owner of revocations, sessions and buckets: no other service finds them
     * @return the default settings
     */
    public static RedisSettings of(ServiceName service) {
        return new RedisSettings(prefix("latchkey:", service), Duration.ofSeconds(1), 0);
    }

    private static String prefix(String begin, ServiceName service) {
        return begin + service.value() + ":";
    }

    /**
     * Returns a copy with another start of the keys, followed by the service's name.
     *
     * @param begin at most 200 characters, without braces and white space; equal on each node
     * @param service the owner of the keys
     * @return a changed copy
     */
    public RedisSettings withKeys(String begin, ServiceName service) {
        return new RedisSettings(prefix(begin, service), deadline, waitForReplicas);
    }

    /**
     * Returns a copy with another time limit for each call.
     *
     * @param longest from one millisecond to ten seconds
     * @return a changed copy
     */
    public RedisSettings withDeadline(Duration longest) {
        return new RedisSettings(keyPrefix, longest, waitForReplicas);
    }

    /**
     * Returns a copy with another number of replicas that must have a session's change.
     *
     * @param number from zero to a hundred; with more than the existing replicas, every session change fails
     * @return a changed copy
     */
    public RedisSettings withWaitForReplicas(int number) {
        return new RedisSettings(keyPrefix, deadline, number);
    }
}
