package dev.latchkey.auth.cache;

/**
 * HMAC-SHA-256 of one presented credential. The first half finds an entry, and the second half confirms the entry.
 *
 * <p>The search for the first half may stop early, as in any hash table. Without the process's key, an attacker learns
 * nothing from the timing of the search. The second half is compared in constant time. Therefore an attacker who knows
 * a first half cannot learn the other 128 bits step by step.
 *
 * <p>An entry extends its digest, because a reference to a digest would add 24 bytes to each of a million entries.
 */
sealed class CredentialDigest permits CachedCredential {

    private final long find0;
    private final long find1;
    private final long confirm0;
    private final long confirm1;

    CredentialDigest(long find0, long find1, long confirm0, long confirm1) {
        this.find0 = find0;
        this.find1 = find1;
        this.confirm0 = confirm0;
        this.confirm1 = confirm1;
    }

    CredentialDigest(CredentialDigest other) {
        this(other.find0, other.find1, other.confirm0, other.confirm1);
    }

    /** Whether both digests are of the same credential under the same key. */
    final boolean isSameAs(CredentialDigest other) {
        return find0 == other.find0 && find1 == other.find1 && confirms(other);
    }

    /**
     * One expression without a branch: the executed instructions do not depend on the position of the first difference.
     */
    private boolean confirms(CredentialDigest other) {
        return ((confirm0 ^ other.confirm0) | (confirm1 ^ other.confirm1)) == 0;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof CredentialDigest digest && isSameAs(digest);
    }

    @Override
    public final int hashCode() {
        return Long.hashCode(find0);
    }

    /** Never shows the bits or their source. */
    @Override
    public final String toString() {
        return "CredentialDigest[****]";
    }
}
