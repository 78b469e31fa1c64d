package dev.latchkey.auth.redis;

import dev.latchkey.auth.store.ServiceName;
import java.time.Duration;
import java.util.Objects;

/**
 * How the stores use Redis.
 *
 * @param keyPrefix what each key and channel begins with, the service's name among it: what is under another prefix is another service's
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
     * @param keyPrefix what each key and channel begins with, the service's name among it: what is under another prefix is another service's
     * @param deadline how long a call may take, from the asking to the answer; after that it is an outage
     * @param waitForReplicas how many replicas must have what was made of a login before anybody is told, within half of the deadline; zero waits for
     *     none. Revocations need none: after a failover the nodes give them back
     * @throws IllegalArgumentException if the prefix is empty or has braces or white space, the deadline is not from one millisecond to ten seconds, or the
     *     replicas are fewer than none or more than a hundred
     */
    public RedisSettings {
        Objects.requireNonNull(keyPrefix, "keyPrefix");
        if (!keyPrefix.matches("[^\\s{}]{1,301}")) {
            // Braces choose the slot of a Cluster, and this store chooses it itself.
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
     * The prefix {@code latchkey:}, the service's name and a colon; one second for each call, and no replica to wait for.
     *
     * @param service whose revocations, logins and buckets they are: no other service finds them
     * @return settings as a service has that says nothing
     */
    public static RedisSettings of(ServiceName service) {
        return new RedisSettings(prefix("latchkey:", service), Duration.ofSeconds(1), 0);
    }

    private static String prefix(String begin, ServiceName service) {
        return begin + service.value() + ":";
    }

    /**
     * These, with keys that begin with this and then the service's name.
     *
     * @param begin 200 characters at most, none of them a brace or white space; the same on each node
     * @param service whose keys they are
     * @return others; these stay as they are
     */
    public RedisSettings withKeys(String begin, ServiceName service) {
        return new RedisSettings(prefix(begin, service), deadline, waitForReplicas);
    }

    /**
     * These, with so long for each call.
     *
     * @param longest from one millisecond to ten seconds
     * @return others; these stay as they are
     */
    public RedisSettings withDeadline(Duration longest) {
        return new RedisSettings(keyPrefix, longest, waitForReplicas);
    }

    /**
     * These, with so many replicas that must have what was made of a login.
     *
     * @param number from none to a hundred; more than there are means that no login changes
     * @return others; these stay as they are
     */
    public RedisSettings withWaitForReplicas(int number) {
        return new RedisSettings(keyPrefix, deadline, number);
    }
}
