package dev.latchkey.auth.password;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Warns once for each reason why a stored hash matches no password. Thread-safe. */
final class UnreadableHashes {

    private static final Logger LOG = System.getLogger(PasswordEncoders.class.getName());

    /** More reasons than any table has. */
    private static final int MOST_REASONS = 10;

    private final Set<String> said = ConcurrentHashMap.newKeySet();

    /**
     * @param reason contains nothing of the hash
     */
    void warn(String reason) {
        if (said.size() < MOST_REASONS && said.add(reason)) {
            LOG.log(Level.WARNING, () -> "A stored password hash matches no password: " + reason);
        }
    }
}
