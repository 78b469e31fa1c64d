package dev.latchkey.auth.cache;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Recognizes successful comparisons that belong to no account. {@link CachingPasswordEncoder} explains the rule. */
final class DummyHashes {

    /**
     * The plain text that Spring Security's authentication providers encode for unknown users, in every version so far.
     */
    static final String PLAIN_TEXT = "userNotFoundPassword";

    /** A provider makes one dummy hash. The limit applies if callers register accounts with exactly this password. */
    private static final int MOST = 1_000;

    private final Set<Long> tags = ConcurrentHashMap.newKeySet();
    private final long seed;

    DummyHashes(long seed) {
        this.seed = seed;
    }

    /** Notes the new hash, if the plain text is {@link #PLAIN_TEXT}. */
    void encoded(CharSequence plain, String hash) {
        if (isPlainText(plain) && tags.size() < MOST) {
            tags.add(CredentialLookup.tagOfStoredHash(seed, hash));
        }
    }

    /** Whether a successful comparison of this password with this hash proves no account. */
    boolean isDummy(CharSequence presented, String storedHash) {
        return isPlainText(presented)
                || (!tags.isEmpty() && tags.contains(CredentialLookup.tagOfStoredHash(seed, storedHash)));
    }

    private static boolean isPlainText(CharSequence text) {
        return CharSequence.compare(PLAIN_TEXT, text) == 0;
    }
}
