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
 * <p>With groups, the limit per account is exact, and an eviction of one account visits only that account. Caffeine
 * limits the number of entries and evicts unused accounts. This class checks the expiry of each entry. So an entry
 * expires exactly, and a use of one entry does not extend the time of another entry.
 *
 * <p>A look-up without a hit changes nothing, not even the order of eviction. Only {@link #touch}, after a hit, changes
 * the order. Therefore only a right password keeps an entry or displaces another entry. Entries change inside Caffeine's
 * atomic update of one account. The update only copies a short list: no lock is held while a thread waits or hashes.
 */
final class CredentialStore {

    /** An account in the map; 24 bytes. */
    private record Tag(long value) {}

    /** The longest time for which further hits are not noted. So busy threads do not compete for one cache line. */
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
                // The work after a change is short and never blocks; a foreign pool could block.
                .executor(Runnable::run)
                .evictionListener(this::evicted)
                .build();
        policy = accounts.policy();
    }

    /** The account's entries, including expired entries. */
    @Nullable
    CachedCredential entriesOf(long tag) {
        return policy.getIfPresentQuietly(new Tag(tag));
    }

    /**
     * Finds the entry for this question, also an expired one, and wipes the question. A valid entry under the previous
     * key is written under the current key.
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

    /** Notes the use of an entry, unless the last noted use is recent. */
    void touch(long tag, CachedCredential entry, long now) {
        if (now - entry.lastUsed() >= touchNanos) {
            entry.usedAt(now);
            // Only to record the access in Caffeine; the caller already has the entry.
            var unused = accounts.getIfPresent(new Tag(tag));
        }
    }

    /** The absolute expiry minus a random jitter. */
    long lifetime() {
        double share = 1 - settings.jitter() * ThreadLocalRandom.current().nextDouble();
        return (long) (settings.absoluteExpiry().toNanos() * share);
    }

    /**
     * Adds an entry, unless an eviction has forbidden storing for the flight. The check runs inside the update. An eviction
     * first forbids storing and then removes entries, so the eviction either prevents or removes this entry.
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

    /** Writes an entry from the previous key under the current key, if the entry is still stored. */
    void rekey(long tag, CachedCredential entry, CredentialDigest digest, long now) {
        accounts.asMap().computeIfPresent(new Tag(tag), (same, entries) -> {
            if (entries.find(entry) == null) {
                return entries;
            }
            return entry.copy(digest, without(entries, entry, now, settings.maximumPerStoredHash()));
        });
    }

    /**
     * Returns after a started change of this account is complete. A visit to all accounts does not see an entry during
     * its insertion, and would leave the entry behind.
     */
    void awaitChange(long tag) {
        accounts.asMap().compute(new Tag(tag), (same, entries) -> entries);
    }

    /** Removes an account's entries and returns their number. */
    int removeAll(long tag) {
        CachedCredential entries = accounts.asMap().remove(new Tag(tag));
        return entries == null ? 0 : entries.count();
    }

    /** Removes all entries and returns their number. */
    int removeAll() {
        int removed = 0;
        for (Tag tag : accounts.asMap().keySet()) {
            removed += removeAll(tag.value());
        }
        return removed;
    }

    /** Removes all entries of each account with a matching entry, and returns the number of removed entries. */
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

    /** Runs Caffeine's pending maintenance now. */
    void tidy() {
        accounts.cleanUp();
    }

    /** The list in order, without this entry and without expired entries, cut to a length. */
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
