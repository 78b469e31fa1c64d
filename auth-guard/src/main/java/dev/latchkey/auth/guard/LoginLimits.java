package dev.latchkey.auth.guard;

import dev.latchkey.auth.Secret;
import dev.latchkey.auth.guard.HashDemand.Familiarity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which logins may cost a hash.
 *
 * <p>Three buckets, each of failures that are still allowed: of the source, of the account from this source, and of the
 * account from everywhere. A token of each is reserved before the hash, goes back on success, and is spent on failure; see
 * {@link LimitGate} for what that means to parallel logins. What is refused has taken nothing.
 *
 * <p>Nobody can lock anybody out. A source that has logged in to an account is measured by its own failures there and by
 * nothing that others do. The account's bucket is for strangers, and when it is empty they take turns in a slow lane:
 * guessing from a thousand addresses then goes at the pace of one. A source that has failed nowhere lately has a lane apart
 * from those that have, so that the owner at a new place does not stand behind the attack.
 *
 * <p>Accounts that do not exist are treated as those that do. Only digests of names are kept, under a key of this process.
 *
 * <p>Safe for use by any number of threads; nothing here blocks.
 */
public final class LoginLimits {

    private static final Logger LOG = LoggerFactory.getLogger(LoginLimits.class);

    private final BucketStore store;
    private final GuardTime time;
    private final GuardEvents events;
    private final LimitKeys keys;
    private final SourceHistory history;
    private final LimitGate<LoginTry.Place> gate;
    private final LoginCounts counts = new LoginCounts();
    private final Turns<LoginTry.Place> turns = new Turns<>(LoginTry.Place::turn);
    private final ReentrantLock changing = new ReentrantLock();
    private volatile LoginLimitSettings settings;

    private LoginLimits(
            LoginLimitSettings settings, BucketStore store, GuardTime time, GuardListener listener, LimitKeys keys) {
        this.settings = settings;
        this.store = store;
        this.time = time;
        this.events = new GuardEvents(listener);
        this.keys = keys;
        this.history =
                new SourceHistory(settings.memory(), settings.accountAndSource().fullAgainAfter(), time);
        this.gate = new LimitGate<>(
                settings.waiting().perBucket(), settings.waiting().inAll());
    }

    /** Limits of this process alone. */
    public static LoginLimits local(LoginLimitSettings settings, GuardTime time, GuardListener listener) {
        return new LoginLimits(settings, LocalBucketStore.create(time), time, listener, LimitKeys.random());
    }

    /** Limits of this process alone, in a store of another size. */
    public static LoginLimits local(
            LoginLimitSettings settings, LocalBucketStore store, GuardTime time, GuardListener listener) {
        return new LoginLimits(settings, store, time, listener, LimitKeys.random());
    }

    /**
     * Limits that several nodes share; local ones stand in while the store is down.
     *
     * @param key of at least 32 bytes, the same on every node, under which accounts and sources are digested
     * @throws IllegalArgumentException if the key is too short
     */
    public static LoginLimits shared(
            LoginLimitSettings settings, BucketStore store, Secret key, GuardTime time, GuardListener listener) {
        BucketStore safe = FallbackBucketStore.of(store, LocalBucketStore.create(time), time, listener);
        return new LoginLimits(settings, safe, time, listener, LimitKeys.shared(key));
    }

    /**
     * Reserves what the check of this login may cost.
     *
     * @return completes, at the latest after {@link LoginLimitSettings.Waiting#longest}, with a reservation that must be
     *     settled or with a refusal; exceptionally only if the store breaks its contract. Completed by whichever thread gives
     *     the awaited token back, so what depends on it must be short. Cancelling it gives the place in the line up
     */
    public CompletableFuture<Admission> reserve(LoginAttempt attempt) {
        return new LoginTry(this, attempt).begin();
    }

    /** Whether this source has logged in before, as far as it is remembered. */
    public Familiarity familiarity(ClientSource source) {
        return history.familiarity(keys.source(source));
    }

    /** What holds now. */
    public LoginLimitSettings settings() {
        return settings;
    }

    /**
     * Changes one window of a bucket while running, for buckets that exist as for those to come.
     *
     * <p>The share of a bucket that was spent stays spent: whoever has no attempt left has none after the change, and waits for
     * it at the new rate. So no change lets an attacker begin again, and one that is taken back leaves no trace. How many
     * windows a bucket has cannot be changed.
     *
     * @param window counted from 0
     * @throws IllegalArgumentException if the bucket has no such window; nothing has changed
     */
    public void change(LoginBucket bucket, int window, LimitWindow replacement) {
        changing.lock();
        try {
            BucketPolicy before = settings.policy(bucket);
            LoginLimitSettings changed = settings.with(bucket, window, replacement);
            // First the settings, so that the store is not asked with the old ones behind its back.
            settings = changed;
            store.changed(changed.policy(bucket));
            history.rememberFailuresFor(changed.accountAndSource().fullAgainAfter());
            LOG.info(
                    "The login limit '{}' is {} now, was {}",
                    before.name(),
                    changed.policy(bucket).windows(),
                    before.windows());
        } finally {
            changing.unlock();
        }
    }

    public LoginLimitsStats stats() {
        return counts.stats(gate.waiting(), gate.keys(), history.size());
    }

    /** Whether this source has logged in to this account before, as far as it is remembered. */
    Familiarity familiarity(LoginAttempt attempt) {
        return attempt.source().isKnown() ? history.familiarity(keys.pair(attempt)) : Familiarity.UNKNOWN;
    }

    BucketKey account(LoginAttempt attempt) {
        return keys.account(attempt);
    }

    /** The buckets that stand before this login now; a source may have logged in since it was asked last. */
    List<LimitLevel> levels(LoginAttempt attempt) {
        LimitLevel account = accountLevel(attempt);
        if (!attempt.source().isKnown()) {
            return List.of(account);
        }
        BucketKey pair = keys.pair(attempt);
        LimitLevel own = new LimitLevel(LoginBucket.ACCOUNT_AND_SOURCE, pair);
        if (history.hasLoggedIn(pair)) {
            return List.of(own);
        }
        return List.of(new LimitLevel(LoginBucket.SOURCE, keys.source(attempt.source())), own, account);
    }

    private LimitLevel accountLevel(LoginAttempt attempt) {
        boolean fresh = attempt.source().isKnown() && !history.hasFailed(keys.source(attempt.source()));
        LoginBucket lane = fresh ? LoginBucket.FRESH_LANE : LoginBucket.SLOW_LANE;
        // The lane's key differs from the account's: the gate tells buckets apart by their keys.
        LimitLevel slow = new LimitLevel(lane, keys.lane(settings.policy(lane), attempt));
        return new LimitLevel(LoginBucket.ACCOUNT, keys.account(attempt), slow);
    }

    void settle(LoginAttempt attempt, List<LimitLevel> held, AttemptResult result) {
        counts.settled(result);
        events.on(new GuardEvent.LoginSettled(result));
        if (attempt.source().isKnown() && result != AttemptResult.NOT_ATTEMPTED) {
            BucketKey source = keys.source(attempt.source());
            if (result == AttemptResult.SUCCEEDED) {
                history.succeeded(source, keys.pair(attempt));
            } else {
                history.failed(source);
            }
        }
        for (LimitLevel level : held) {
            if (result == AttemptResult.FAILED) {
                turns.give(gate.leave(level.key()));
            } else {
                boolean forget =
                        result == AttemptResult.SUCCEEDED && level.bucket().limit() == LoginLimit.ACCOUNT;
                giveBack(level, forget ? policy(level).capacity() : 1);
            }
        }
        boolean throughTheSlowLane =
                held.stream().anyMatch(level -> level.bucket().isLane());
        if (result == AttemptResult.SUCCEEDED && throughTheSlowLane) {
            // Nobody holds a token of the account's own bucket, or it would not have been passed by; so nobody waits
            // for one.
            BucketPolicy account = settings.account();
            store.giveBack(account, keys.account(attempt), account.capacity());
        }
    }

    /** Gives tokens back, and then lets go of the bucket's gate, however the store answers. */
    void giveBack(LimitLevel level, long tokens) {
        store.giveBack(policy(level), level.key(), tokens)
                .whenComplete((done, failure) -> turns.give(gate.leaveAfterReturn(level.key())));
    }

    CompletionStage<BucketTake> take(LimitLevel level) {
        return store.take(policy(level), level.key());
    }

    private BucketPolicy policy(LimitLevel level) {
        return settings.policy(level.bucket());
    }

    LimitGate<LoginTry.Place> gate() {
        return gate;
    }

    Turns<LoginTry.Place> turns() {
        return turns;
    }

    GuardTime time() {
        return time;
    }

    void admitted(Duration waited) {
        counts.admitted();
        events.on(new GuardEvent.LoginAdmitted(waited));
    }

    void refused(LoginLimit limit, Duration waited) {
        counts.refused(limit);
        events.on(new GuardEvent.LoginRefused(limit, waited));
    }
}
