package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import dev.latchkey.auth.guard.internal.Futures;
import dev.latchkey.auth.guard.internal.Trampoline;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LoginLimits} keep: buckets, the logins that wait for them, what sources have done. Takes tokens, and spends them or gives them back.
 *
 * <p>Safe for use by any number of threads.
 */
final class LoginLedger {

    private final BucketStore store;
    private final GuardTime time;
    private final LimitKeys keys;
    private final SourceHistory history;
    private final WrongPasswords wrong;
    private final LoginSteps steps;
    private final KnownPairs pairs = new KnownPairs();
    private final PairAdmission pairAdmission;
    private final ReservationQueue<LimitLevel, LimitAcquisition.Entry> queue;
    private final LoginCounts counts;
    private final Trampoline<LimitAcquisition.Entry> trampoline = new Trampoline<>(LimitAcquisition.Entry::tryAgain);
    private volatile LoginLimitSettings settings;

    LoginLedger(LoginLimitSettings settings, BucketStore store, GuardTime time, GuardEvents events, LimitKeys keys) {
        this.settings = settings;
        this.store = store;
        this.time = time;
        this.counts = new LoginCounts(events);
        this.keys = keys;
        this.history = new SourceHistory(settings, time);
        this.wrong = new WrongPasswords(settings.failuresCountFor(), time);
        this.steps = new LoginSteps(history, wrong);
        this.pairAdmission = new PairAdmission(this, history);
        this.queue = new ReservationQueue<>(
                settings.waiting().perBucket(), settings.waiting().inAll());
    }

    /** Applies these settings from now on. The spent share of buckets that exist stays spent. */
    void change(LoginLimitSettings changed, BucketPolicy policy) {
        // First the settings, so that the store is not asked with the old ones behind its back.
        settings = changed;
        store.changed(policy);
        history.rememberFailuresFor(changed.failuresCountFor());
        wrong.rememberFor(changed.failuresCountFor());
        // How many logins an entry admits at a time was the old policy's.
        pairs.clear();
    }

    CompletionStage<BucketTake> take(LimitLevel level) {
        return take(store, level);
    }

    /** @param buckets of {@link #forOneLogin} */
    CompletionStage<BucketTake> take(BucketStore buckets, LimitLevel level) {
        return buckets.take(policy(level), level.key());
    }

    /** The buckets for a login that waits for its tokens. */
    BucketStore forOneLogin() {
        return store.forOneLogin();
    }

    /** Gives a token back, and then closes the reservation, however the store answers. */
    void giveBack(LimitLevel level) {
        Futures.onEnd(
                store.giveBack(policy(level), level.key(), 1),
                (done, failure) -> trampoline.run(queue.closeAfterReturn(level)));
    }

    void spend(LimitLevel level) {
        trampoline.run(queue.close(level));
    }

    void release(LimitLevel level, AttemptResult result) {
        if (result == AttemptResult.SUCCEEDED || result == AttemptResult.NOT_ATTEMPTED) {
            giveBack(level);
        } else {
            spend(level);
        }
    }

    /**
     * @param accounts by the name that was sent, and then those that were found
     * @param guess the digest of the password, where it is known
     */
    void settle(
            Where where, List<Who> accounts, List<LimitLevel> held, AttemptResult result, @Nullable BucketKey guess) {
        counts.settled(result);
        if (result == AttemptResult.FAILED) {
            fail(where, accounts, held, guess);
            return;
        }
        if (result == AttemptResult.OVERLOADED) {
            overload(accounts, held, guess);
            return;
        }
        if (result == AttemptResult.SUCCEEDED) {
            accounts.forEach(history::succeeded);
        }
        held.forEach(level -> release(level, result));
    }

    /** Whether this account has logged in from this place. */
    boolean knows(Who who) {
        return history.knows(who);
    }

    void matched(Who who) {
        history.matched(who);
    }

    /** Whether the right password of this account was shown at this place. */
    boolean knowsPassword(Who who) {
        return history.knowsPassword(who);
    }

    /**
     * Another step is wanted of these accounts here. Entries of other spellings end too: each would be a guess without a token.
     *
     * @return whether they are known to have passed all steps here, which says more than that the password was enough once
     */
    boolean challenged(List<Who> accounts) {
        pairs.failed(accounts);
        accounts.forEach(history::challenged);
        return accounts.stream().allMatch(history::knowsByAllSteps);
    }

    /** The login has passed the step for which its tokens were spent; they go back. */
    void passed(List<Who> accounts, List<LimitLevel> spent) {
        counts.settled(AttemptResult.SUCCEEDED);
        accounts.forEach(history::passedAllSteps);
        spent.forEach(level -> store.giveBack(policy(level), level.key(), 1));
    }

    /** A step was added after a login that needed none, and was shown where that login came from. */
    void stepAdded(List<Who> accounts) {
        accounts.forEach(history::passedAllSteps);
    }

    /** The login has failed the step for which its tokens were spent. */
    void failed(Where where, List<Who> accounts) {
        counts.settled(AttemptResult.FAILED);
        rememberFailure(where, accounts);
    }

    private void rememberFailure(Where where, List<Who> accounts) {
        history.failed(where);
        rememberFailure(accounts);
    }

    private void rememberFailure(List<Who> accounts) {
        accounts.forEach(history::failed);
        pairs.failed(accounts);
    }

    /**
     * Settles a login whose password found no free hash, at a place where the right one was shown before. If that password came before, it is no new
     * guess, and has cost no hash either: so a client that goes on with a right password pays once. The source is not counted as one that failed,
     * since the account's owner would have done the same.
     */
    private void overload(List<Who> accounts, List<LimitLevel> held, @Nullable BucketKey guess) {
        if (guess != null && wrong.remember(accounts.get(0).atPlaceOrAnywhere(), guess)) {
            held.forEach(this::giveBack);
            return;
        }
        rememberFailure(accounts);
        held.forEach(this::spend);
    }

    private void fail(Where where, List<Who> accounts, List<LimitLevel> held, @Nullable BucketKey guess) {
        rememberFailure(where, accounts);
        if (guess == null || !wrong.remember(accounts.get(0).atPlaceOrAnywhere(), guess)) {
            held.forEach(this::spend);
        } else if (held.stream().anyMatch(level -> level.bucket() == LoginBucket.REPEATS)) {
            held.forEach(this::endRepeat);
        } else {
            // That it was tried before is seen only now: it was tried at the same time, or reserved without the
            // password.
            LimitLevel repeats = steps.repeats(where, accounts.get(0)).level();
            Futures.onEnd(
                    take(repeats),
                    (take, failure) -> held.forEach(take != null && take.taken() ? this::giveBack : this::spend));
        }
    }

    private void endRepeat(LimitLevel level) {
        if (level.bucket() == LoginBucket.REPEATS) {
            spend(level);
        } else {
            giveBack(level);
        }
    }

    @Nullable
    BucketKey guess(Who named, @Nullable CharSequence password) {
        return wrong.digest(named.atPlaceOrAnywhere(), password);
    }

    private BucketPolicy policy(LimitLevel level) {
        return settings.policy(level.bucket());
    }

    LoginLimitSettings settings() {
        return settings;
    }

    LimitKeys keys() {
        return keys;
    }

    LoginSteps steps() {
        return steps;
    }

    KnownPairs pairs() {
        return pairs;
    }

    PairAdmission pairAdmission() {
        return pairAdmission;
    }

    ReservationQueue<LimitLevel, LimitAcquisition.Entry> queue() {
        return queue;
    }

    Trampoline<LimitAcquisition.Entry> trampoline() {
        return trampoline;
    }

    GuardTime time() {
        return time;
    }

    LoginCounts counts() {
        return counts;
    }

    LoginLimitsStats stats() {
        return counts.stats(queue.waiting(), queue.keys(), history.size() + wrong.size());
    }
}
