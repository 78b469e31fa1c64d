package dev.latchkey.auth.cache;

import org.jspecify.annotations.Nullable;

/**
 * A verified credential and its expiry times. The entry holds no password, stored hash, user or role.
 *
 * <p>The entries of one stored hash form a list through {@link #next}, newest first. Most lists have one entry. Only
 * the time of the last use changes. Any thread may set the last use: each written value is a real time of use.
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

    /** A copy of this entry for another list or another key. */
    CachedCredential copy(CredentialDigest digest, @Nullable CachedCredential next) {
        return new CachedCredential(digest, next, deadline, lastUsed());
    }

    final @Nullable CachedCredential next() {
        return next;
    }

    /** The absolute expiry in the cache's nanoseconds. No use extends this time. */
    final long deadline() {
        return deadline;
    }

    final long lastUsed() {
        return lastUsed;
    }

    final void usedAt(long now) {
        lastUsed = now;
    }

    /**
     * Whether this entry has expired. A deadline equal to {@code now} counts as expired, as for a token's {@code exp}.
     */
    final boolean isOver(long now, long idleNanos) {
        return now - deadline >= 0 || now - lastUsed() >= idleNanos;
    }

    /** Finds the entry with this digest in the list. */
    final @Nullable CachedCredential find(CredentialDigest digest) {
        CachedCredential entry = this;
        while (entry != null && !entry.isSameAs(digest)) {
            entry = entry.next;
        }
        return entry;
    }

    /** The number of entries in this list. */
    final int count() {
        int count = 0;
        for (CachedCredential entry = this; entry != null; entry = entry.next) {
            count++;
        }
        return count;
    }
}
