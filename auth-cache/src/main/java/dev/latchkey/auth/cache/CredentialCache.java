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
 * Remembers which credentials were verified a short while ago, so that a password hash is paid once and not per
 * request.
 *
 * <p>Used through {@link CachingPasswordEncoder} or {@link CachingLoginSource}; one cache may serve several of them, which never see each other's entries. The key of an entry is HMAC-SHA-256, under a
 * random key of this process, over the stored hash and the presented password, each behind its length. So a hit needs
 * the right password, and a changed one is a miss on every node without a message. Half of the 256 bits find an
 * entry, the other half is compared in constant time. The HMAC's key is replaced each hour; the previous one still
 * answers.
 *
 * <p>Only successes are stored, and only until the idle or the absolute expiry. A look-up that does not hit changes
 * nothing, and the encoder is asked as if there were no cache: a wrong password costs a full hash, always.
 *
 * <p><b>What it costs in safety.</b> The stored hash is unchanged: whoever steals the user table gains nothing.
 * Whoever dumps the whole heap of the running process gets the HMAC's key and the digests of the credentials used
 * within the expiry, and can try passwords against those at the cost of one HMAC each instead of one password hash.
 * (He can also read the passwords of the requests being served at that moment, cache or not.) No password, user
 * record or role is in the cache of an encoder.
 *
 * <p>Safe for use by any number of threads, platform or virtual; no lock is held while a hash is computed or awaited.
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
    private final ThrashWarning thrash;
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
        thrash = new ThrashWarning(settings, counters.evictedBySize, nanos.getAsLong());
        this.stopExpiry = stopExpiry;
    }

    /**
     * A cache with the {@linkplain CredentialCacheSettings#defaults() default settings}.
     *
     * @return an empty cache with a key of its own, to be closed
     */
    public static CredentialCache create() {
        return with(CredentialCacheSettings.defaults());
    }

    /**
     * A cache with these settings.
     *
     * @param settings how long entries are kept, and how many
     * @return an empty cache with a key of its own, to be closed
     */
    public static CredentialCache with(CredentialCacheSettings settings) {
        return with(settings, WaitBound.NONE);
    }

    /**
     * A cache with these settings, where no more threads than this allows wait for a hash that another computes.
     *
     * @param settings how long entries are kept, and how many
     * @param bound is asked on each thread that would wait
     * @return an empty cache with a key of its own, to be closed
     */
    public static CredentialCache with(CredentialCacheSettings settings, WaitBound bound) {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(bound, "bound");
        ExpiryThread expiry = new ExpiryThread();
        return new CredentialCache(settings, System::nanoTime, LockSupport::parkNanos, bound, expiry, expiry::close);
    }

    /** A cache whose time is somebody else's; entries go when somebody looks. */
    static CredentialCache with(CredentialCacheSettings settings, LongSupplier nanos, LongConsumer pause) {
        return new CredentialCache(settings, nanos, pause, WaitBound.NONE, Scheduler.disabledScheduler(), () -> {});
    }

    /**
     * What this cache was made with.
     *
     * @return settings that do not change
     */
    public CredentialCacheSettings settings() {
        return settings;
    }

    /**
     * Forgets what {@link CachingPasswordEncoder} verified against this stored hash. What is being loaded for it now is not
     * stored. Others keep theirs.
     *
     * <p>Not needed after a change of the password: the new stored hash is another key.
     *
     * @param storedHash as the store of accounts had it
     * @return how many entries there were
     */
    public int evictStoredHash(String storedHash) {
        return evict(CredentialLookup.tagOfStoredHash(seed, storedHash));
    }

    /**
     * Forgets what {@link CachingLoginSource} verified for this account: presented under exactly this name, or of a subject that has it as
     * its id in any case, whatever name was presented. Stores nothing of what is being loaded now. Others keep theirs.
     *
     * @param username as it was presented, or the id of the subject
     * @return how many entries there were
     */
    public int evictUsername(String username) {
        int presented = evict(CredentialLookup.tagOfUsername(seed, username));
        return presented
                + evictIf(entry -> entry instanceof CachedVerdict cached
                        && cached.verdict().subject().id().equalsIgnoreCase(username));
    }

    /**
     * Forgets every entry, and stores nothing of what is being loaded now; how many there were.
     *
     * @return how many entries were there, of all encoders and plugins
     */
    public int evictAll() {
        flights.detach(each -> true, store::awaitChange);
        return evicted(store.removeAll());
    }

    /**
     * What the cache did so far and holds now.
     *
     * @return a snapshot; its counts only grow while the cache lives
     */
    public CredentialCacheStats stats() {
        store.tidy();
        return counters.read(flights.running(), store.size(), settings);
    }

    /**
     * Forgets every entry and wipes the keys. From then on nothing is stored, and whoever uses this cache asks its
     * encoder each time. Closing twice is the same as once.
     */
    @Override
    public void close() {
        closed = true;
        stopExpiry.run();
        evictAll();
        key.wipe(nanos.getAsLong());
    }

    /** A number that no other owner of entries in this process has, in this cache or another. */
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

    /** The entry for what is asked, if it is there and its time is not over; wipes the question. */
    @Nullable
    CachedCredential find(CredentialLookup lookup) {
        long now = nanos.getAsLong();
        CachedCredential entries = store.entriesOf(lookup.tag());
        CachedCredential entry = store.find(lookup, entries, key.at(now), now);
        return entry == null ? missed(entries) : inTime(lookup, entry, now);
    }

    /** The same for one who asks again if there is none: only a hit is counted. */
    @Nullable
    CachedCredential findHit(CredentialLookup lookup) {
        long now = nanos.getAsLong();
        CachedCredential entry = store.find(lookup, store.entriesOf(lookup.tag()), key.at(now), now);
        return entry == null || store.isOver(entry, now) ? null : inTime(lookup, entry, now);
    }

    /** As a miss, whatever there is for what is asked; wipes the question. */
    void passOver(CredentialLookup lookup) {
        lookup.settle(key.at(nanos.getAsLong()).current().digest(lookup.message()));
        missed(store.entriesOf(lookup.tag()));
    }

    /** The verdict that the load reaches, or the one of a flight that has the same question already. */
    <V> V load(CredentialLookup lookup, CredentialLoad<V> load) {
        return flights.verdict(lookup.digest(), lookup.tag(), load);
    }

    /** The entry that was stored since {@link #find} missed; counted nowhere, since that was. */
    @Nullable
    CachedCredential recheck(CredentialLookup lookup) {
        CachedCredential entries = store.entriesOf(lookup.tag());
        CachedCredential entry = entries == null ? null : entries.find(lookup.digest());
        return entry == null || store.isOver(entry, nanos.getAsLong()) ? null : entry;
    }

    /** For how many nanoseconds an entry made now is good, however often it is used. */
    long lifetime() {
        return store.lifetime();
    }

    /** Stores an entry, unless the cache was closed or the account evicted while its flight was on the way. */
    void store(Flight<?> flight, CachedCredential entry) {
        long now = nanos.getAsLong();
        boolean added = !closed && store.add(flight, entry, now);
        (added ? counters.stored : counters.notStored).increment();
        if (added && closed) {
            // Closed in between: close() may have removed everything before this entry was added.
            store.removeAll(flight.tag());
        }
        thrash.check(now);
    }

    private int evict(long tag) {
        flights.detach(each -> each == tag, store::awaitChange);
        return evicted(store.removeAll(tag));
    }

    /** Forgets the accounts with such an entry, and stores nothing of what is being loaded now; how many entries there were. */
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
