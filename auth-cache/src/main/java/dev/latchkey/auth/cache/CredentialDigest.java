package dev.latchkey.auth.cache;

/**
 * HMAC-SHA-256 of one presented credential: the first half finds an entry, the second half confirms it.
 *
 * <p>The halves are compared differently. Looking for the first half may stop early, as any hash table does; what it
 * can tell is worth nothing without the process's key. The second is compared in constant time, so that even somebody
 * who learnt a first half could not work towards the other 128 bits.
 *
 * <p>An entry is a digest with times, by inheritance: a reference instead would cost each of a million entries 24
 * bytes.
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

    /** Whether both are of the same credential under the same key. */
    final boolean isSameAs(CredentialDigest other) {
        return find0 == other.find0 && find1 == other.find1 && confirms(other);
    }

    /** One expression without a branch: the same instructions wherever the two differ. */
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

    /** Says nothing of the bits, nor of what they are made from. */
    @Override
    public final String toString() {
        return "CredentialDigest[****]";
    }
}
