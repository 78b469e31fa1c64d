package dev.latchkey.auth.cache;

import com.github.benmanes.caffeine.cache.Scheduler;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Remembers recently verified credentials, so that each password hash is computed once and not per request.
 *
 * <p>Use the cache through {@link CachingPasswordEncoder} or {@link CachingLoginSource}. Several encoders and login
 * sources may share a cache, with separate entries. The key of an entry is HMAC-SHA-256, under a random key of this cache.
 * Half of the 256 bits find an entry. The other half is compared in constant time. The HMAC key is replaced each hour,
 * and the previous key still finds entries.
 *
 * <p>For an encoder, the HMAC covers the stored hash and the presented password, each after its length. Therefore only
 * the right password is a hit, and a changed password is a miss on every node without a message. A login source has no
 * stored hash: its HMAC covers the tenant, the name and the presented password. There, an old password is a hit until
 * the expiry, or until {@link #evictUsername}.
 *
 * <p>A miss asks the encoder or the login source. Only a success is stored, until the idle or the absolute expiry: a
 * wrong password always costs a full hash.
 *
 * <p><b>Cost in safety.</b> The stored hash is unchanged: a stolen user table gives an attacker nothing new. An
 * attacker with a dump of the running process's heap gets the HMAC key and the digests within the expiry. The attacker
 * can then test a password with one HMAC instead of one password hash. (Such a dump also contains the passwords of
 * current requests, with or without a cache.) The cache of an encoder contains no password, user record or role.
 *
 * <p>Safe for use by any number of threads, platform or virtual. No lock is held while a hash is computed or awaited.
 */
public final class CredentialCache implements AutoCloseable {

    private final AtomicLong owners = new AtomicLong();
    private final long seed = new SecureRandom().nextLong();
    private final CredentialCacheSettings settings;
    private final LongSupplier nanos;
    private final Counters counters = new Counters();
    private final RotatingKey key;
    private final CredentialStore store;
    private final Flights flights;
    private final Runnable stopExpiry;
    private volatile boolean closed;

    private CredentialCache(
            CredentialCacheSettings settings,
            LongSupplier nanos,
            LongConsumer pause,
            WaitBound bound,
            Scheduler expiry,
            Runnable stopExpiry) {
        this.settings = settings;
        this.nanos = nanos;
        key = new RotatingKey(nanos.getAsLong());
        store = new CredentialStore(settings, nanos, expiry, counters);
        flights = new Flights(nanos, pause, counters, bound);
        this.stopExpiry = stopExpiry;
    }

    /**
     * Creates a cache with the {@linkplain CredentialCacheSettings#defaults() default settings}.
     *
     * @return an empty cache with its own key; the caller closes the cache
     */
    public static CredentialCache create() {
        return with(CredentialCacheSettings.defaults());
    }

    /**
     * Creates a cache with these settings.
     *
     * @param settings the expiry and the number of entries
     * @return an empty cache with its own key; the caller closes the cache
     */
    public static CredentialCache with(CredentialCacheSettings settings) {
        return with(settings, WaitBound.NONE);
    }

    /**
     * Creates a cache with these settings and a limit on the threads that wait for another thread's hash.
     *
     * @param settings the expiry and the number of entries
     * @param bound asked on each thread before waiting
     * @return an empty cache with its own key; the caller closes the cache
     */
    public static CredentialCache with(CredentialCacheSettings settings, WaitBound bound) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(bound, "bound");
        ExpiryThread expiry = new ExpiryThread();
        return new CredentialCache(settings, System::nanoTime, LockSupport::parkNanos, bound, expiry, expiry::close);
    }

    /** A cache for tests: the caller sets the time, and entries expire on access. */
    static CredentialCache with(CredentialCacheSettings settings, LongSupplier nanos, LongConsumer pause) {
        return new CredentialCache(settings, nanos, pause, WaitBound.NONE, Scheduler.disabledScheduler(), () -> {});
    }

    /**
     * The settings of this cache.
     *
     * @return immutable settings
     */
    public CredentialCacheSettings settings() {
        return settings;
    }

    /**
     * Evicts the entries of {@link CachingPasswordEncoder} for this stored hash. Running loads for this hash are not
     * stored. Other entries stay.
     *
     * <p>After a password change this call is not necessary: the new stored hash has another key.
     *
     * @param storedHash the hash from the user table
     * @return the number of evicted entries
     */
    public int evictStoredHash(String storedHash) {
        return evict(CredentialLookup.tagOfStoredHash(seed, storedHash));
    }

    /**
     * Evicts the entries of each {@link CachingLoginSource} for this account, in all tenants. The presented name must be
     * equal, or the subject's id must be equal in any case. If one entry has such a subject, all entries with the same
     * presented name are evicted. Running loads of all accounts are not stored. Other entries stay.
     *
     * @param username the presented name, or the id of the subject
     * @return the number of evicted entries
     */
    public int evictUsername(String username) {
        int presented = evict(CredentialLookup.tagOfUsername(seed, username));
        return presented
                + evictIf(entry -> entry instanceof CachedVerdict cached
                        && cached.verdict().subject().id().equalsIgnoreCase(username));
    }

    /**
     * Evicts every entry. Running loads are not stored.
     *
     * @return the number of evicted entries, of all encoders and plugins
     */
    public int evictAll() {
        flights.detach(each -> true, store::awaitChange);
        return evicted(store.removeAll());
    }

    /**
     * The current statistics.
     *
     * @return a snapshot; the counts only grow
     */
    public CredentialCacheStats stats() {
        store.tidy();
        return counters.read(flights.running(), store.size(), settings);
    }

    /**
     * Evicts every entry and wipes the keys. After closing, the cache stores nothing, and each login asks the encoder or
     * the login source. A second call has no effect.
     */
    @Override
    public void close() {
        closed = true;
        stopExpiry.run();
        evictAll();
        key.wipe(nanos.getAsLong());
    }

    /** A new number for an owner of entries, unique in this cache. */
    long newOwner() {
        return owners.incrementAndGet();
    }

    long seed() {
        return seed;
    }

    long now() {
        return nanos.getAsLong();
    }

    boolean isClosed() {
        return closed;
    }

    Counters counters() {
        return counters;
    }

    /** The entry for this lookup, or null if there is none or the entry has expired. Wipes the lookup. */
    @Nullable
    CachedCredential find(CredentialLookup lookup) {
        long now = nanos.getAsLong();
        CachedCredential entries = store.entriesOf(lookup.tag());
        CachedCredential entry = store.find(lookup, entries, key.at(now), now);
        return entry == null ? missed(entries) : inTime(lookup, entry, now);
    }

    /** As {@link #find}, but counts only a hit. For a caller that calls {@link #find} after a miss. */
    @Nullable
    CachedCredential findHit(CredentialLookup lookup) {
        long now = nanos.getAsLong();
        CachedCredential entry = store.find(lookup, store.entriesOf(lookup.tag()), key.at(now), now);
        return entry == null || store.isOver(entry, now) ? null : inTime(lookup, entry, now);
    }

    /** Counts a miss even if there is an entry. Wipes the lookup. */
    void countMiss(CredentialLookup lookup) {
        lookup.settle(key.at(nanos.getAsLong()).current().digest(lookup.message()));
        missed(store.entriesOf(lookup.tag()));
    }

    /** Runs the load, or waits for the result of a running load with the same lookup. */
    <V> V load(CredentialLookup lookup, CredentialLoad<V> load) {
        return flights.verdict(lookup.digest(), lookup.tag(), load);
    }

    /** The entry stored since {@link #find} missed. Not counted, because {@link #find} counted the miss. */
    @Nullable
    CachedCredential recheck(CredentialLookup lookup) {
        CachedCredential entries = store.entriesOf(lookup.tag());
        CachedCredential entry = entries == null ? null : entries.find(lookup.digest());
        return entry == null || store.isOver(entry, nanos.getAsLong()) ? null : entry;
    }

    /** The absolute lifetime of a new entry, in nanoseconds. */
    long lifetime() {
        return store.lifetime();
    }

    /** Stores an entry. If the cache was closed or the account was evicted during the load, the entry is not stored. */
    void store(Flight<?> flight, CachedCredential entry) {
        boolean added = !closed && store.add(flight, entry, nanos.getAsLong());
        (added ? counters.stored : counters.notStored).increment();
        if (added && closed) {
            // The cache was closed meanwhile: close() may have removed all entries before this entry was added.
            store.removeAll(flight.tag());
        }
    }

    private int evict(long tag) {
        flights.detach(each -> each == tag, store::awaitChange);
        return evicted(store.removeAll(tag));
    }

    /** Evicts the accounts with a matching entry, and returns the number of entries. No running load is stored. */
    int evictIf(Predicate<? super CachedCredential> entry) {
        flights.detach(each -> true, store::awaitChange);
        return evicted(store.removeIf(entry));
    }

    private @Nullable CachedCredential inTime(CredentialLookup lookup, CachedCredential entry, long now) {
        if (store.isOver(entry, now)) {
            counters.missesExpired.increment();
            return null;
        }
        store.touch(lookup.tag(), entry, now);
        counters.hits.increment();
        return entry;
    }

    private @Nullable CachedCredential missed(@Nullable CachedCredential entries) {
        (entries == null ? counters.missesAbsent : counters.missesOther).increment();
        return null;
    }

    private int evicted(int entries) {
        counters.evictedByRequest.add(entries);
        return entries;
    }
}
