package dev.latchkey.auth.spring.shared;

import dev.latchkey.auth.redis.RedisRights;
import dev.latchkey.auth.spring.settings.LatchkeyConfigurationException;
import java.util.List;
import java.util.function.Supplier;

/** Checks at the start that the service's Redis user has the needed rights. */
final class RedisUser {

    private RedisUser() {}

    /**
     * Returns if no right is missing, or if Redis does not answer.
     *
     * @param missing asks Redis, on its own thread
     * @throws LatchkeyConfigurationException if the user lacks a right
     */
    static void requireRights(Supplier<List<String>> missing) {
        String rights = String.join(" ", RedisRights.asked(missing));
        if (!rights.isEmpty()) {
            throw new LatchkeyConfigurationException(
                    "The Redis user of this service lacks rights that its stores need: " + rights,
                    "Add these rights to the user: ACL SETUSER <user> " + rights
                            + ". The README of auth-redis has the whole user.");
        }
    }
}
