package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.DaemonThreads;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks at the start that the service's Redis user has the needed rights. This also opens the first connection. */
final class RedisUser {

    /** After this time, the service starts without Redis, and the first call reports the outage. */
    private static final long LONGEST_MILLIS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(RedisUser.class);

    private RedisUser() {}

    /**
     * Returns if no right is missing, or if Redis does not answer.
     *
     * @param missing asks Redis, on its own thread
     * @throws LatchkeyConfigurationException if the user lacks a right
     */
    static void requireRights(Supplier<List<String>> missing) {
        AtomicReference<List<String>> found = new AtomicReference<>(List.of());
        Thread asking =
                DaemonThreads.of(RedisUser.class, "latchkey-redis-start").newThread(() -> ask(missing, found));
        asking.start();
        try {
            asking.join(LONGEST_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String rights = String.join(" ", found.get());
        if (!rights.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "The Redis user of this service lacks rights that its stores need: " + rights,
                    "Add these rights to the user: ACL SETUSER <user> " + rights
                            + ". The README of auth-redis has the whole user.");
        }
    }

    private static void ask(Supplier<List<String>> missing, AtomicReference<List<String>> found) {
        try {
            found.set(missing.get());
        } catch (RuntimeException e) {
            LOG.debug("Redis was not asked at the start for the rights of its user", e);
        }
    }
}
