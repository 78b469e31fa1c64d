package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.login.LoginState.Compared;
import dev.latchkey.auth.guard.login.LoginState.Settled;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A login that passes the buckets, with the tokens that the login has taken so far. Settling the login again does
 * nothing.
 *
 * <p>Safe for use by any number of threads.
 */
final class BucketedLogin implements Reservation {

    /**
     * The accounts of a pair: by name, and by one found account. If a name stands for several accounts, one fingerprint
     * cannot identify these accounts.
     */
    private static final int ACCOUNTS_OF_A_PAIR = 2;

    private final LoginLedger ledger;
    private final ClientKeys client;
    private final AccountKeys named;

    @Nullable
    private final BucketKey guess;

    private final long spelling;

    /**
     * For the questions by name, before the check and again before a second step. These questions share one time limit. After
     * a wait in a queue, a login has a further time limit.
     */
    private final BucketStore store;

    private final LoginState state;

    /**
     * @param accounts by the presented name, then the accounts found so far
     * @param guess the digest of the password, if known
     * @param spelling the presented name together with the client, for {@link KnownPairs}
     */
    BucketedLogin(
            LoginLedger ledger,
            ClientKeys client,
            List<AccountKeys> accounts,
            @Nullable BucketKey guess,
            long spelling) {
        this.ledger = ledger;
        this.client = client;
        this.named = accounts.get(0);
        this.guess = guess;
        this.spelling = spelling;
        this.store = ledger.forOneLogin();
        this.state = new LoginState(accounts);
    }

    BucketStore store() {
        return store;
    }

    /** The buckets by name, or by the found account. */
    List<BucketOrElse> bucketsOf(@Nullable AccountKeys found) {
        return found == null
                ? ledger.buckets().ofName(client, named, guess)
                : ledger.buckets().ofFound(client, found);
    }

    /** Receives the tokens of an admission, by name or by the found account. */
    void admitted(@Nullable AccountKeys found, List<KeyedBucket> tokens, Duration waited) {
        if (found == null) {
            ledger.counts().admitted(waited);
        } else {
            state.count(found);
        }
        tokens.forEach(this::add);
    }

    /** Receives a token. The login may have been settled meanwhile. */
    void add(KeyedBucket bucket) {
        ledger.queue().hold(bucket);
        AttemptResult settled = state.add(bucket);
        // Uses the result at the arrival of the token. The answer to a challenge may come later, and then returns this
        // token too.
        if (settled != null) {
            ledger.release(bucket, settled);
        }
    }

    /** Notes that no password may be compared with the found account. */
    void refused(AccountKeys found) {
        state.refuse(found);
    }

    /** Notes that the password may be compared with an account whose limit is not asked. */
    void compares() {
        state.compare();
    }

    @Override
    public CompletableFuture<Admission> found(String storedHash) {
        if (StoredHash.isOfOneAccount(storedHash)) {
            AccountKeys found = ledger.keys().found(storedHash, client);
            boolean isNew = state.found(new Compared(found, ledger.pairs().fingerprint(storedHash)));
            if (isNew) {
                return new LimitAcquisition(ledger, this, found).begin();
            }
        }
        compares();
        return admitted();
    }

    private CompletableFuture<Admission> admitted() {
        return CompletableFuture.completedFuture(new Admission.Admitted(this));
    }

    @Override
    public boolean mayRecall() {
        return ledger.history().knowsPassword(state.compared().account());
    }

    @Override
    public boolean leavesRoom() {
        return !ledger.history().isFresh(client) && !mayRecall();
    }

    @Override
    public void matched() {
        ledger.history().matched(state.compared().account());
    }

    @Override
    public CompletableFuture<Admission> challenged() {
        boolean isProved = ledger.challenged(state.accounts());
        return isProved || state.isPaidFor() ? admitted() : new LimitAcquisition(ledger, this, null).begin();
    }

    @Override
    public void settle(AttemptResult result, @Nullable CharSequence password) {
        // If the cache may not answer, an overload has told the caller nothing.
        boolean isFree = result == AttemptResult.OVERLOADED && !mayRecall();
        Settled settled = state.settle(isFree ? AttemptResult.NOT_ATTEMPTED : result);
        if (settled == null) {
            return;
        }
        boolean isGuess = !isFree && (result == AttemptResult.FAILED || result == AttemptResult.OVERLOADED);
        BucketKey digest = isGuess && password != null ? ledger.guess(named, password) : null;
        ledger.settle(client, settled.accounts(), settled.tokens(), settled.outcome(), digest);
        if (settled.outcome() == AttemptResult.SUCCEEDED) {
            rememberPair(settled.accounts());
        }
    }

    @Override
    public Consumer<Boolean> settleChallenged() {
        settle(AttemptResult.CHALLENGED, null);
        return passed -> answered(passed ? AttemptResult.SUCCEEDED : AttemptResult.FAILED);
    }

    @Override
    public void stepAdded() {
        if (state.hasSucceeded()) {
            ledger.stepAdded(state.accounts());
        }
    }

    private void answered(AttemptResult answer) {
        Settled settled = state.answer(answer);
        if (settled == null) {
            return;
        }
        if (answer == AttemptResult.SUCCEEDED) {
            ledger.passed(settled.accounts(), settled.tokens());
            rememberPair(settled.accounts());
        } else {
            ledger.failed(client, settled.accounts());
        }
    }

    private void rememberPair(List<AccountKeys> accounts) {
        if (accounts.size() <= ACCOUNTS_OF_A_PAIR) {
            ledger.pairs().remember(spelling, state.compared().fingerprint(), client, accounts);
        }
    }
}
