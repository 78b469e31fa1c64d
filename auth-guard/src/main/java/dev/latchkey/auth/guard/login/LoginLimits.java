package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.GuardEvent;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardListener;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.FallbackBucketStore;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which logins may be checked. Call this class first for every password attempt.
 *
 * <p>Each bucket contains the failures that are still allowed: by source, by account and source, and by account
 * ({@link LoginBucket} has all). A token of each bucket is reserved before the check, returned on success, and spent on
 * failure. {@link ReservationQueue} explains parallel logins. A rejected login takes nothing. An empty bucket rejects
 * right and wrong passwords alike.
 *
 * <p>For a known client, only the failures of this client count. Other clients can never lock out the account's owner
 * at a known client. The account's bucket is for unknown clients. When this bucket is empty, unknown clients share a
 * slow bucket: guesses from a thousand addresses then have the pace of guesses from one address. Sources without recent
 * failures share another, faster bucket, so that the owner at a new address does not wait behind the attack.
 *
 * <p>The faster bucket needs an address. Behind a proxy that is not configured, the owner with a new client waits for
 * the slow bucket with the attack. If the attack is fast, few owners log in before the attack ends. A bucket for
 * clients without failures would not help: a caller can pretend to be a new client with each request, for example by
 * another user agent. Such a caller would have dozens of times as many guesses. Therefore configure the proxy, see
 * {@link dev.latchkey.auth.guard.source.TrustedProxies}.
 *
 * <p>An account is counted by the presented name and, after the look-up, by the found account. Missing accounts are
 * treated like existing accounts. Only keyed digests of names and passwords are kept. The key belongs to this process,
 * or for names in shared limits to all nodes.
 *
 * <p>Safe for use by any number of threads; nothing here blocks.
 */
public final class LoginLimits {

    private static final Logger LOG = LoggerFactory.getLogger(LoginLimits.class);

    private final LoginLedger ledger;
    private final GuardEvents events;
    private final ReentrantLock changing = new ReentrantLock();

    private LoginLimits(
            LoginLimitSettings settings, BucketStore store, GuardTime time, GuardListener listener, LimitKeys keys) {
        this.events = new GuardEvents(listener);
        this.ledger = new LoginLedger(settings, store, time, events, keys);
    }

    /**
     * Limits of this process only, with at most 100,000 buckets of each kind.
     *
     * @param settings the initial settings
     * @param time for refills and waits; not closed here
     * @param listener receives every login
     * @return with full buckets
     */
    public static LoginLimits local(LoginLimitSettings settings, GuardTime time, GuardListener listener) {
        return new LoginLimits(settings, LocalBucketStore.create(time), time, listener, LimitKeys.random());
    }

    /** Limits of this process only, in this store. */
    static LoginLimits local(
            LoginLimitSettings settings, LocalBucketStore store, GuardTime time, GuardListener listener) {
        return new LoginLimits(settings, store, time, listener, LimitKeys.random());
    }

    /**
     * Limits shared by several nodes. Local limits apply while the store is down. A login waits at most 100
     * milliseconds for the buckets of its name, including a second step, and 100 more for each found account. A login that
     * waited for other logins has 100 milliseconds again at each turn.
     *
     * <p>The nodes share the cost of failures, which is the content of the buckets. Each node keeps separately:
     *
     * <ul>
     *   <li>the known clients of an account, which only select the buckets for a login;
     *   <li>the open logins of a known client, which take their tokens at the first failure;
     *   <li>the logins that wait for a token, each behind earlier logins of the same node;
     *   <li>the digests of wrong passwords, which never leave the node.
     * </ul>
     *
     * @param settings the initial settings
     * @param store shared by all nodes
     * @param key of at least 32 bytes, equal on every node, for the digests of accounts and sources
     * @param time for waits; not closed here
     * @param listener receives every login, and events of the store
     * @return with the buckets of the store
     * @throws IllegalArgumentException if the key is too short
     */
    public static LoginLimits shared(
            LoginLimitSettings settings, BucketStore store, Secret key, GuardTime time, GuardListener listener) {
        BucketStore safe = FallbackBucketStore.shared(store, time, listener);
        return new LoginLimits(settings, safe, time, listener, LimitKeys.shared(key));
    }

    /**
     * Reserves a token of each bucket that this login has to pass.
     *
     * @param attempt the account and the source
     * @param password as presented, or null if not known yet. A recent wrong password of this client is not a new
     *     guess. Such a login spends only a token of {@link LoginBucket#REPEATS}, and the other tokens are returned. If
     *     the password is repeated too often, the login is rejected. To save the hash then, pass the password here and
     *     not only to {@link Reservation#settle}. Only a keyed digest is kept
     * @return completes with a reservation that must be settled, or with a rejection. A login waits at most
     *     {@link LoginLimitSettings.Waiting#longest} for other logins, in addition to the store's answers. Completes
     *     exceptionally only if the store breaks its contract. The thread that returns the awaited token completes the
     *     future, so dependent actions must be short. If the caller cancels the future, the login leaves the queue. If
     *     no token may come back, the future completes with a rejection instead
     */
    public CompletableFuture<Admission> reserve(LoginAttempt attempt, @Nullable CharSequence password) {
        long spelling = ledger.pairs().spelling(attempt.exact(), attempt.source());
        KnownPair pair = ledger.pairs().find(spelling);
        if (pair != null) {
            pair.retire();
        }
        ClientKeys client = ledger.keys().client(attempt.source());
        AccountKeys named = ledger.keys().named(attempt.account(), attempt.exact(), client);
        BucketedLogin login =
                new BucketedLogin(ledger, client, List.of(named), ledger.guess(named, password), spelling);
        return new LimitAcquisition(ledger, login, null).begin();
    }

    /**
     * Admits a known client without recent failures, with one look-up and without an allocation.
     *
     * @param exact as {@link LoginAttempt#exact}
     * @param source found with {@link dev.latchkey.auth.guard.source.TrustedProxies}
     * @return settle the reservation exactly once; null if {@link #reserve} must be called
     */
    public @Nullable Reservation reserveKnown(String exact, ClientSource source) {
        KnownPair pair = ledger.pairs().find(ledger.pairs().spelling(exact, source));
        if (pair == null || !pair.begin(ledger.time().nanoTime())) {
            return null;
        }
        ledger.counts().admittedAtOnce();
        return pair;
    }

    /**
     * Whether this client is known for this account, even after failures. Takes no token. Use this method before the
     * limits, to decide which login goes first.
     *
     * @param account as presented
     * @param source found with {@link dev.latchkey.auth.guard.source.TrustedProxies}
     * @return false also if the client was forgotten, see {@link LoginLimitSettings.Memory}
     */
    public boolean knows(String account, ClientSource source) {
        return ledger.history()
                .knows(ledger.keys().named(account, account, ledger.keys().client(source)));
    }

    /**
     * Keeps the known clients of an account whose stored hash is replaced by a hash of the same password. Without this
     * call, the account's clients are unknown until their next login. Do not call this method for a changed password.
     *
     * <p>The clients stay known for the old hash too. If the new hash is not stored, the call has no effect on logins.
     *
     * @param before the stored hash until now
     * @param after the new hash
     */
    public void replaced(String before, String after) {
        if (StoredHash.isOfOneAccount(before) && StoredHash.isOfOneAccount(after)) {
            ledger.replaced(before, after);
        }
    }

    /**
     * The current settings.
     *
     * @return the settings with all changes so far
     */
    public LoginLimitSettings settings() {
        return ledger.settings();
    }

    /**
     * Changes one window of a bucket at run time, for existing and new buckets.
     *
     * <p>The spent share of a bucket stays spent. A caller without remaining attempts still has none, and waits at the
     * new rate. Therefore no change gives an attacker new attempts. A change and the reverse change leave each bucket
     * as before. The number of windows cannot be changed. Logged, and published as {@link GuardEvent.LimitChanged}.
     *
     * @param bucket a kind
     * @param window its index in the policy, from 0
     * @param replacement for this window
     * @throws IllegalArgumentException if the bucket has no such window; nothing has changed
     */
    public void change(LoginBucket bucket, int window, LimitWindow replacement) {
        changing.lock();
        try {
            BucketPolicy before = ledger.settings().policy(bucket);
            LoginLimitSettings changed = ledger.settings().with(bucket, window, replacement);
            BucketPolicy after = changed.policy(bucket);
            ledger.change(changed, after);
            LOG.info("The login limit '{}' is {} now, was {}", after.name(), after.text(), before.text());
            events.on(new GuardEvent.LimitChanged(after.name(), before.text(), after.text()));
        } finally {
            changing.unlock();
        }
    }

    /**
     * Fills the buckets of an account and of a source again, for an owner who is locked out.
     *
     * <p>Without a source, the method fills the account's buckets for clients that are not known. With a source, the
     * method also fills the buckets of this source, and of the account from this source. Known clients stay known. An
     * attacker gains as many attempts as the owner, so call this method only on request of the owner. In a shared store
     * the buckets are full for all nodes. Otherwise each node has its own buckets.
     *
     * @param account as presented, in any spelling
     * @param storedHashes of the account's password; empty if not known
     * @param source of the owner's logins; null for the account alone
     * @return the kinds of the buckets that were empty; completes when all buckets are full
     */
    public CompletableFuture<Set<LoginBucket>> unlock(
            String account, Collection<String> storedHashes, @Nullable ClientSource source) {
        return new Unlocking(ledger).unlock(account, storedHashes, source);
    }

    /**
     * The current state and the totals.
     *
     * @return the numbers; they are read without a lock, so each may be from another moment
     */
    public LoginLimitsStats stats() {
        return ledger.stats();
    }
}
