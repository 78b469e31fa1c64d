package dev.latchkey.auth.cache;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the successes that belong to no account: see {@link CachingPasswordEncoder} for the rule and why it is enough.
 */
final class DummyHashes {

    /**
     * The plain text that Spring Security's authentication providers encode for unknown users, on every line so far.
     */
    static final String PLAIN_TEXT = "userNotFoundPassword";

    /** A provider makes one such hash; the bound is for whoever registers accounts with that very password. */
    private static final int MOST = 1_000;

    private final Set<Long> tags = ConcurrentHashMap.newKeySet();
    private final long seed;

    DummyHashes(long seed) {
        this.seed = seed;
    }

    /** Notes what was encoded and what came out. */
    void encoded(CharSequence plain, String hash) {
        if (isPlainText(plain) && tags.size() < MOST) {
            tags.add(CredentialLookup.tagOfStoredHash(seed, hash));
        }
    }

    /** Whether a success of this password against this hash says nothing about an account. */
    boolean isDummy(CharSequence presented, String storedHash) {
        return isPlainText(presented)
                || (!tags.isEmpty() && tags.contains(CredentialLookup.tagOfStoredHash(seed, storedHash)));
    }

    private static boolean isPlainText(CharSequence text) {
        return CharSequence.compare(PLAIN_TEXT, text) == 0;
    }
}
