package dev.latchkey.auth.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.Scheduler;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries, grouped by account: Caffeine maps an account's tag to the list of its entries.
 *
 * <p>Grouped so that the bound per account is exact and that one account is evicted without a visit to the others.
 * Caffeine bounds the number of entries and forgets accounts that were not used; the entries' own times are checked
 * here, so that an entry is over exactly when it says, and no sibling's use prolongs it.
 *
 * <p>A look-up changes nothing, not even the order of eviction: only {@link #touch}, after a hit, does. So nothing
 * but a right password keeps an entry or displaces another. Entries change inside Caffeine's own atomic update of one
 * account, which only copies a short list: no lock is held while anybody waits or hashes.
 */
final class CredentialStore {

    /** An account in the map; 24 bytes. */
    private record Tag(long value) {}

    /**
     * How long a hit need not be noted again: threads that hit one entry all the time do not fight over its cache line.
     */
    private static final Duration TOUCH_INTERVAL = Duration.ofSeconds(1);

    private static final int TOUCHES_PER_IDLE_EXPIRY = 64;

    private final Cache<Tag, CachedCredential> accounts;
    private final Policy<Tag, CachedCredential> policy;
    private final CredentialCacheSettings settings;
    private final long idleNanos;
    private final long touchNanos;
    private final Counters counters;

    CredentialStore(CredentialCacheSettings settings, LongSupplier nanos, Scheduler scheduler, Counters counters) {
        this.settings = settings;
        this.counters = counters;
        idleNanos = settings.idleExpiry().toNanos();
        touchNanos = Math.min(TOUCH_INTERVAL.toNanos(), idleNanos / TOUCHES_PER_IDLE_EXPIRY);
        accounts = Caffeine.newBuilder()
                .maximumWeight(settings.maximumSize())
                .weigher((Tag tag, CachedCredential entries) -> entries.count())
                .expireAfterAccess(settings.idleExpiry())
                .ticker(nanos::getAsLong)
                .scheduler(scheduler)
                // What is left to do after a change is short and never blocks; a foreign pool could.
                .executor(Runnable::run)
                .evictionListener(this::evicted)
                .build();
        policy = accounts.policy();
    }

    /** The account's entries, also those whose time is over. */
    @Nullable
    CachedCredential entriesOf(long tag) {
        return policy.getIfPresentQuietly(new Tag(tag));
    }

    /**
     * Of an account's entries the one for what is asked, also if its time is over; wipes the question. An entry that is good and stands under the
     * previous key is written under the current one.
     */
    @Nullable
    CachedCredential find(
            CredentialLookup lookup, @Nullable CachedCredential entries, RotatingKey.Keys keys, long now) {
        CredentialDigest digest = keys.current().digest(lookup.message());
        CachedCredential entry = entries == null ? null : entries.find(digest);
        if (entry == null && entries != null && keys.previous() != null) {
            entry = entries.find(keys.previous().digest(lookup.message()));
            if (entry != null && !isOver(entry, now)) {
                rekey(lookup.tag(), entry, digest, now);
            }
        }
        lookup.settle(digest);
        return entry;
    }

    boolean isOver(CachedCredential entry, long now) {
        return entry.isOver(now, idleNanos);
    }

    /** Notes that an entry was used. */
    void touch(long tag, CachedCredential entry, long now) {
        if (now - entry.lastUsed() >= touchNanos) {
            entry.usedAt(now);
            // Only for Caffeine to note it; the entry is at hand already.
            var unused = accounts.getIfPresent(new Tag(tag));
        }
    }

    /** The absolute expiry less its jitter. */
    long lifetime() {
        double share = 1 - settings.jitter() * ThreadLocalRandom.current().nextDouble();
        return (long) (settings.absoluteExpiry().toNanos() * share);
    }

    /**
     * Adds an entry unless the flight may no longer store. Asked inside the update: an eviction first forbids, then
     * removes, so it either forbids in time or finds what was stored.
     */
    boolean add(Flight<?> flight, CachedCredential entry, long now) {
        boolean[] added = new boolean[1];
        accounts.asMap().compute(new Tag(flight.tag()), (tag, entries) -> {
            added[0] = flight.mayStore();
            if (!added[0]) {
                return entries;
            }
            return entry.copy(entry, without(entries, entry, now, settings.maximumPerStoredHash() - 1));
        });
        return added[0];
    }

    /** Writes an entry that was found under the previous key under the current one, if it is still there. */
    void rekey(long tag, CachedCredential entry, CredentialDigest digest, long now) {
        accounts.asMap().computeIfPresent(new Tag(tag), (same, entries) -> {
            if (entries.find(entry) == null) {
                return entries;
            }
            return entry.copy(digest, without(entries, entry, now, settings.maximumPerStoredHash()));
        });
    }

    /**
     * Returns when a change of this account that has begun is done: a visit to all accounts does not see an entry that is being
     * added, and would leave it behind.
     */
    void awaitChange(long tag) {
        accounts.asMap().compute(new Tag(tag), (same, entries) -> entries);
    }

    /** Removes an account's entries; how many there were. */
    int removeAll(long tag) {
        CachedCredential entries = accounts.asMap().remove(new Tag(tag));
        return entries == null ? 0 : entries.count();
    }

    /** Removes all entries; how many there were. */
    int removeAll() {
        int removed = 0;
        for (Tag tag : accounts.asMap().keySet()) {
            removed += removeAll(tag.value());
        }
        return removed;
    }

    /** Removes the accounts that have such an entry; visits all. How many entries there were. */
    int removeIf(Predicate<? super CachedCredential> entry) {
        int removed = 0;
        for (var account : accounts.asMap().entrySet()) {
            CachedCredential each = account.getValue();
            while (each != null && !entry.test(each)) {
                each = each.next();
            }
            if (each != null) {
                removed += removeAll(account.getKey().value());
            }
        }
        return removed;
    }

    long size() {
        return policy.eviction().orElseThrow().weightedSize().orElseThrow();
    }

    /** Does at once what Caffeine would do a little later. */
    void tidy() {
        accounts.cleanUp();
    }

    /** The list in its order without this entry and without what is over, cut to a length. */
    private @Nullable CachedCredential without(
            @Nullable CachedCredential entries, CredentialDigest entry, long now, int most) {
        if (entries == null) {
            return null;
        }
        if (most == 0) {
            counters.evictedByBound.add(entries.count());
            return null;
        }
        boolean over = isOver(entries, now);
        if (over || entries.isSameAs(entry)) {
            if (over) {
                counters.evictedByExpiry.increment();
            }
            return without(entries.next(), entry, now, most);
        }
        return entries.copy(entries, without(entries.next(), entry, now, most - 1));
    }

    private void evicted(@Nullable Tag tag, @Nullable CachedCredential entries, RemovalCause cause) {
        if (entries != null) {
            (cause == RemovalCause.SIZE ? counters.evictedBySize : counters.evictedByExpiry).add(entries.count());
        }
    }
}
