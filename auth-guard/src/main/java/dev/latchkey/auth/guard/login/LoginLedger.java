package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.GuardEvents;
import dev.latchkey.auth.guard.GuardTime;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketPolicy;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.BucketTake;
import dev.latchkey.auth.guard.bucket.LimitKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.bucket.LimitWindow;
import dev.latchkey.auth.guard.internal.Futures;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The state of {@link LoginLimits}: buckets, waiting logins, the history of sources, and digests of wrong passwords.
 * Takes tokens, and spends or returns these tokens.
 *
 * <p>Safe for use by any number of threads.
 */
final class LoginLedger {

    private final BucketStore store;
    private final GuardTime time;
    private final LimitKeys keys;
    private final SourceHistory history;
    private final WrongPasswords wrong;
    private final BucketsOfLogin buckets;
    private final KnownPairs pairs = new KnownPairs(this);
    private final ReservationQueue<KeyedBucket, LimitAcquisition.Entry> queue;
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
        this.buckets = new BucketsOfLogin(history, wrong);
        this.queue = new ReservationQueue<>(
                settings.waiting().perBucket(), settings.waiting().inAll());
    }

    /** Applies these settings from now on. The spent share of existing buckets stays spent. */
    void change(LoginLimitSettings changed, BucketPolicy policy) {
        // The settings change before the store. Otherwise a login could still ask the changed store with the old
        // settings.
        settings = changed;
        store.changed(policy);
        history.rememberFailuresFor(changed.failuresCountFor());
        wrong.rememberFor(changed.failuresCountFor());
        // The number of concurrent logins of each entry comes from the old policy.
        pairs.clear();
    }

    CompletionStage<BucketTake> take(KeyedBucket bucket) {
        return take(store, bucket);
    }

    /** @param ofOneLogin of {@link #forOneLogin} */
    CompletionStage<BucketTake> take(BucketStore ofOneLogin, KeyedBucket bucket) {
        return ofOneLogin.take(policy(bucket), bucket.key());
    }

    /** The buckets for a login that waits for its tokens. */
    BucketStore forOneLogin() {
        return store.forOneLogin();
    }

    /** Returns a token. Then closes the reservation, even if the store fails. */
    void giveBack(KeyedBucket bucket) {
        Futures.onEnd(
                store.giveBack(policy(bucket), bucket.key(), 1),
                (done, failure) -> tryAgain(queue.closeAfterReturn(bucket)));
    }

    /**
     * Fills a bucket, even if current logins hold tokens of this bucket.
     *
     * @return whether the bucket was empty
     */
    CompletionStage<Boolean> fill(KeyedBucket bucket) {
        BucketPolicy policy = policy(bucket);
        long all =
                policy.windows().stream().mapToLong(LimitWindow::tokens).max().orElseThrow();
        return store.take(policy, bucket.key())
                .thenCompose(take -> store.giveBack(policy, bucket.key(), all).thenApply(done -> !take.taken()));
    }

    /** Lets these logins of the queue try again. */
    void tryAgain(List<LimitAcquisition.Entry> entries) {
        trampoline.run(entries);
    }

    /** Closes a reservation without a token. */
    void close(KeyedBucket bucket) {
        tryAgain(queue.close(bucket));
    }

    void spend(KeyedBucket bucket) {
        tryAgain(queue.closeAfterSpending(bucket));
    }

    void release(KeyedBucket bucket, AttemptResult result) {
        if (result == AttemptResult.SUCCEEDED || result == AttemptResult.NOT_ATTEMPTED) {
            giveBack(bucket);
        } else {
            spend(bucket);
        }
    }

    /**
     * @param accounts by the presented name, then the found accounts
     * @param guess the digest of the password, if known
     */
    void settle(
            ClientKeys client,
            List<AccountKeys> accounts,
            List<KeyedBucket> held,
            AttemptResult result,
            @Nullable BucketKey guess) {
        counts.settled(result);
        if (result == AttemptResult.FAILED) {
            fail(client, accounts, held, guess);
            return;
        }
        if (result == AttemptResult.OVERLOADED) {
            overload(accounts, held, guess);
            return;
        }
        if (result == AttemptResult.SUCCEEDED) {
            accounts.forEach(history::succeeded);
        }
        held.forEach(bucket -> release(bucket, result));
    }

    /** From now on, another stored hash of the same password identifies the account. */
    void replaced(String before, String after) {
        history.replaced(keys.foundAccount(before), keys.foundAccount(after));
    }

    /**
     * Another step is necessary for these accounts with this client. The entries of all spellings end: each entry would
     * allow a guess without a token.
     *
     * @return whether this client has passed all steps before; a login with the password alone is not sufficient
     */
    boolean challenged(List<AccountKeys> accounts) {
        pairs.failed(accounts);
        accounts.forEach(history::challenged);
        return accounts.stream().allMatch(history::knowsByAllSteps);
    }

    /** The login has passed the step; its spent tokens are returned. */
    void passed(List<AccountKeys> accounts, List<KeyedBucket> spent) {
        counts.settled(AttemptResult.SUCCEEDED);
        accounts.forEach(history::passedAllSteps);
        spent.forEach(bucket -> store.giveBack(policy(bucket), bucket.key(), 1));
    }

    /** The client has proved an additional step, after a login without this step. */
    void stepAdded(List<AccountKeys> accounts) {
        accounts.forEach(history::passedAllSteps);
    }

    /** The login has failed the step; its tokens stay spent. */
    void failed(ClientKeys client, List<AccountKeys> accounts) {
        counts.settled(AttemptResult.FAILED);
        rememberFailure(client, accounts);
    }

    private void rememberFailure(ClientKeys client, List<AccountKeys> accounts) {
        history.failed(client);
        rememberFailure(accounts);
    }

    private void rememberFailure(List<AccountKeys> accounts) {
        accounts.forEach(history::failed);
        pairs.failed(accounts);
    }

    /**
     * Settles an overloaded login of a client that has shown the right password before. A repeated password is not a
     * new guess, and has cost no hash. Therefore a client that repeats a right password pays once. The source does not
     * count as failed, because the account's owner would do the same.
     */
    private void overload(List<AccountKeys> accounts, List<KeyedBucket> held, @Nullable BucketKey guess) {
        if (guess != null && wrong.remember(accounts.get(0).narrowest(), guess)) {
            held.forEach(this::giveBack);
            return;
        }
        rememberFailure(accounts);
        held.forEach(this::spend);
    }

    private void fail(
            ClientKeys client, List<AccountKeys> accounts, List<KeyedBucket> held, @Nullable BucketKey guess) {
        rememberFailure(client, accounts);
        if (guess == null || !wrong.remember(accounts.get(0).narrowest(), guess)) {
            held.forEach(this::spend);
        } else if (held.stream().anyMatch(bucket -> bucket.kind() == LoginBucket.REPEATS)) {
            held.forEach(this::endRepeat);
        } else {
            // The repetition was not visible before: the same password was tried at the same time, or the reservation
            // had no password.
            KeyedBucket repeats = buckets.repeats(client, accounts.get(0)).bucket();
            Futures.onEnd(
                    take(repeats),
                    (take, failure) -> held.forEach(take != null && take.taken() ? this::giveBack : this::spend));
        }
    }

    private void endRepeat(KeyedBucket bucket) {
        if (bucket.kind() == LoginBucket.REPEATS) {
            spend(bucket);
        } else {
            giveBack(bucket);
        }
    }

    @Nullable
    BucketKey guess(AccountKeys named, @Nullable CharSequence password) {
        return wrong.digest(named.narrowest(), password);
    }

    private BucketPolicy policy(KeyedBucket bucket) {
        return settings.policy(bucket.kind());
    }

    LoginLimitSettings settings() {
        return settings;
    }

    LimitKeys keys() {
        return keys;
    }

    SourceHistory history() {
        return history;
    }

    BucketsOfLogin buckets() {
        return buckets;
    }

    KnownPairs pairs() {
        return pairs;
    }

    ReservationQueue<KeyedBucket, LimitAcquisition.Entry> queue() {
        return queue;
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
