package dev.latchkey.auth.cache;

import org.jspecify.annotations.Nullable;

/**
 * That a credential was verified, and until when that may be relied upon. No password, no stored hash, no user, no
 * roles.
 *
 * <p>The entries of one stored hash form a list through {@link #next}, newest first; nearly always of one. Immutable
 * but for the time of the last use, which any thread may set: whichever wins, it is a time of use.
 */
sealed class CachedCredential extends CredentialDigest permits CachedVerdict {

    private final @Nullable CachedCredential next;
    private final long deadline;
    private volatile long lastUsed;

    CachedCredential(CredentialDigest digest, @Nullable CachedCredential next, long deadline, long lastUsed) {
        super(digest);
        this.next = next;
        this.deadline = deadline;
        this.lastUsed = lastUsed;
    }

    /** The same entry in another list, or under another key. */
    CachedCredential copy(CredentialDigest digest, @Nullable CachedCredential next) {
        return new CachedCredential(digest, next, deadline, lastUsed());
    }

    final @Nullable CachedCredential next() {
        return next;
    }

    /** From when on, in the cache's nanoseconds, nothing prolongs this entry. */
    final long deadline() {
        return deadline;
    }

    final long lastUsed() {
        return lastUsed;
    }

    final void usedAt(long now) {
        lastUsed = now;
    }

    /** An entry whose deadline is exactly now is over, as a token's {@code exp} is. */
    final boolean isOver(long now, long idleNanos) {
        return now - deadline >= 0 || now - lastUsed() >= idleNanos;
    }

    /** The entry of this list for the digest. */
    final @Nullable CachedCredential find(CredentialDigest digest) {
        CachedCredential entry = this;
        while (entry != null && !entry.isSameAs(digest)) {
            entry = entry.next;
        }
        return entry;
    }

    /** How many entries this list has. */
    final int count() {
        int count = 0;
        for (CachedCredential entry = this; entry != null; entry = entry.next) {
            count++;
        }
        return count;
    }
}
