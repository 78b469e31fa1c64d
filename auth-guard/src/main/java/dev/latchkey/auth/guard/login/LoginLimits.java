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
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.bucket.LocalBucketStore;
import dev.latchkey.auth.guard.source.ClientSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which logins may be checked. It is called first, for every password attempt.
 *
 * <p>There are buckets of failures that are still allowed: by source, by account and source, and by account ({@link LoginBucket} has all). A token of
 * each is reserved before the check, goes back on success, and is spent on failure; see {@link ReservationQueue} for what that means to parallel
 * logins. A refused login takes nothing. An empty bucket refuses, whether the password is right or wrong.
 *
 * <p>A place that has logged in to an account is measured by its own failures there. Nothing that others do locks its owner out there. The account's
 * bucket is for strangers, and when it is empty they take turns in a slow lane: guessing from a thousand addresses then goes at the pace of one. A
 * source that has failed nowhere lately has a lane apart from those that have, so that the owner at a new address does not stand behind the attack.
 *
 * <p>This lane needs an address. Behind a proxy that is not configured, the owner at a new place stands in the slow lane with the attack. Where that
 * is quick, few owners get in while it lasts. A lane for places that have not failed would not help: a caller makes a new place with each request, by
 * another user agent say, and would have dozens of times as many guesses. So configure the proxy, see {@link
 * dev.latchkey.auth.guard.source.TrustedProxies}.
 *
 * <p>An account is counted by the name that was sent and, once it is known, as the account that was found. Accounts that do not exist are treated as
 * those that do. Only digests of names and passwords are kept, under a key of this process.
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
     * Limits of this process alone, with at most 100,000 buckets of each kind.
     *
     * @param settings to begin with
     * @param time of refills and waits; not closed here
     * @param listener hears of every login
     * @return with full buckets
     */
    public static LoginLimits local(LoginLimitSettings settings, GuardTime time, GuardListener listener) {
        return new LoginLimits(settings, LocalBucketStore.create(time), time, listener, LimitKeys.random());
    }

    /**
     * Limits of this process alone, in a store of another size.
     *
     * @param settings to begin with
     * @param store for these limits alone
     * @param time of waits; not closed here
     * @param listener hears of every login
     * @return with the buckets of the store
     */
    public static LoginLimits local(
            LoginLimitSettings settings, LocalBucketStore store, GuardTime time, GuardListener listener) {
        return new LoginLimits(settings, store, time, listener, LimitKeys.random());
    }

    /**
     * Limits that several nodes share. Local ones stand in while the store is down. A login waits at most 20 milliseconds for the buckets of its
     * name, a second step included, and 20 more for those of each account that is found.
     *
     * <p>What failures have cost is shared, which is what buckets hold. The rest stays on each node:
     *
     * <ul>
     *   <li>the places from which an account has logged in, which only decide which bucket a login passes;
     *   <li>the open logins of a known pair, which take their tokens when the first of them fails;
     *   <li>the logins that wait for a token, each behind those of its own node;
     *   <li>the digests of wrong passwords, which never leave the node.
     * </ul>
     *
     * @param settings to begin with
     * @param store shared by all nodes
     * @param key of at least 32 bytes, the same on every node, under which accounts and sources are digested
     * @param time of waits; not closed here
     * @param listener hears of every login, and of the store
     * @return with the buckets of the store
     * @throws IllegalArgumentException if the key is too short
     */
    public static LoginLimits shared(
            LoginLimitSettings settings, BucketStore store, Secret key, GuardTime time, GuardListener listener) {
        BucketStore safe = FallbackBucketStore.shared(store, time, listener);
        return new LoginLimits(settings, safe, time, listener, LimitKeys.shared(key));
    }

    /**
     * As {@link #reserve(LoginAttempt, CharSequence)}, where the password is not known yet.
     *
     * @param attempt whose, and from where
     * @return completes with a reservation that must be settled, or with a refusal
     */
    public CompletableFuture<Admission> reserve(LoginAttempt attempt) {
        return reserve(attempt, null);
    }

    /**
     * Reserves what the check of this login may cost.
     *
     * @param attempt whose, and from where
     * @param password that was presented, or null where it is not known yet. One that was wrong here a while ago is no new guess: it leaves the
     *     account's and the source's buckets as they are, and is refused when it comes too often. That saves a hash only if the password is shown
     *     here, and not first to {@link Reservation#settle}. Only a keyed digest of it is kept
     * @return completes, at the latest after {@link LoginLimitSettings.Waiting#longest}, with a reservation that must be settled or with a refusal;
     *     exceptionally only if the store breaks its contract. Completed by the thread that gives the awaited token back, so what depends on it must
     *     be short. Cancelling it leaves the queue
     */
    public CompletableFuture<Admission> reserve(LoginAttempt attempt, @Nullable CharSequence password) {
        long spelling = ledger.pairs().spelling(attempt.account(), attempt.source());
        KnownPair pair = ledger.pairs().find(spelling);
        if (pair != null) {
            pair.retire();
        }
        Where where = ledger.keys().where(attempt.source());
        Who named = ledger.keys().named(attempt.account(), where);
        HeldTokens login = new HeldTokens(ledger, where, List.of(named), ledger.guess(named, password), spelling);
        return new LimitAcquisition(ledger, login, null).begin();
    }

    /**
     * Admits a pair of account and source that has logged in, and of which nothing has failed lately: at the cost of one look-up and without an
     * allocation.
     *
     * @param account as the caller wrote it
     * @param source found with {@link dev.latchkey.auth.guard.source.TrustedProxies}
     * @return to be settled exactly once; null where {@link #reserve} has to be asked
     */
    public @Nullable Reservation reserveKnown(String account, ClientSource source) {
        KnownPair pair = ledger.pairs().find(ledger.pairs().spelling(account, source));
        if (pair == null || !pair.begin(ledger.time().nanoTime())) {
            return null;
        }
        ledger.counts().admittedAtOnce();
        return pair;
    }

    /**
     * Whether this account has logged in from there lately, whatever has failed since. Takes nothing. For whoever has to choose between logins before
     * they are limited.
     *
     * @param account as the caller wrote it
     * @param source found with {@link dev.latchkey.auth.guard.source.TrustedProxies}
     * @return false also where it was forgotten, see {@link LoginLimitSettings.Memory}
     */
    public boolean knows(String account, ClientSource source) {
        return ledger.knows(ledger.keys().named(account, ledger.keys().where(source)));
    }

    /**
     * The settings that hold now.
     *
     * @return with all changes so far
     */
    public LoginLimitSettings settings() {
        return ledger.settings();
    }

    /**
     * Changes one window of a bucket while running, for buckets that exist as for those to come.
     *
     * <p>The share of a bucket that was spent stays spent: a caller without an attempt left has none after the change, and waits for one at the new
     * rate. So no change lets an attacker begin again, and one that is taken back leaves no trace. How many windows a bucket has cannot be changed.
     * Logged, and published as {@link GuardEvent.LimitChanged}.
     *
     * @param bucket a kind
     * @param window its index in the policy, from 0
     * @param replacement for that window
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
     * What happens now, and has happened so far.
     *
     * @return read without a lock, so that numbers may be a moment apart
     */
    public LoginLimitsStats stats() {
        return ledger.stats();
    }
}
