package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import dev.latchkey.auth.guard.bucket.LimitKeys.ClientKeys;
import dev.latchkey.auth.guard.internal.Futures;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One reservation for all logins of a pair: an account and a known client without failures.
 *
 * <p>The pair's bucket is full, so a login of the pair takes no token. This class only counts the open logins, and
 * their number never exceeds the tokens in the bucket. The entry retires after the first failure, or when a login has
 * to pass the buckets. At that moment each open login takes its tokens, and settling the login settles these tokens.
 * Therefore a flood of wrong passwords costs the usual number of tokens.
 *
 * <p>A login that passes the buckets keeps its tokens while another login of the pair succeeds and creates a new entry.
 * The new entry admits one login less for each login with tokens. One race remains: the new entry does not count a
 * login that looked for an entry before and asks the bucket afterwards. The race can happen only once: after the first
 * failure, no entry is created until the bucket is full.
 *
 * <p>Any open login of the pair may take any of the tokens. Settle each login exactly once. Safe for use by any
 * number of threads.
 */
final class KnownPair implements Reservation {

    /** The bit of {@link #open} for {@link #hasCompared}. */
    private static final int HAS_COMPARED = 1;

    /** One login in {@link #open}. */
    private static final int LOGIN = 2;

    /** All bits of {@link #open} except {@link #HAS_COMPARED}. */
    private static final int RETIRED = -2;

    private final LoginLedger ledger;
    private final long spelling;
    private final long fingerprint;
    private final ClientKeys client;
    private final List<AccountKeys> accounts;
    private final int failures;
    private final int most;
    private final long endsAt;
    private final CompletableFuture<Admission> admitted =
            CompletableFuture.completedFuture(new Admission.Admitted(this));

    /** The number of open logins and the bit, or negative after the retirement. */
    private final AtomicInteger open = new AtomicInteger();

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<BucketedLogin> adopted = new ArrayDeque<>();

    /**
     * @param accounts by the presented name, then by the found account, if any
     * @param fingerprint of the found account's stored hash
     * @param failures the failure count of the accounts, read before the check for failures
     * @param most concurrent logins
     */
    KnownPair(
            LoginLedger ledger,
            long spelling,
            long fingerprint,
            ClientKeys client,
            List<AccountKeys> accounts,
            int failures,
            int most,
            long endsAt) {
        this.ledger = ledger;
        this.spelling = spelling;
        this.fingerprint = fingerprint;
        this.client = client;
        this.accounts = List.copyOf(accounts);
        this.failures = failures;
        this.most = most;
        this.endsAt = endsAt;
    }

    long spelling() {
        return spelling;
    }

    List<AccountKeys> accounts() {
        return accounts;
    }

    /** Whether the entry still admits logins. */
    boolean holds(long now) {
        return now - endsAt < 0 && open.get() >= 0 && ledger.pairs().failuresOf(accounts) == failures;
    }

    /** Starts a login; false if the login has to pass the buckets. */
    boolean begin(long now) {
        if (!holds(now)) {
            return false;
        }
        int before = open.get();
        while (before >= 0 && before / LOGIN < most) {
            if (open.compareAndSet(before, before + LOGIN)) {
                return true;
            }
            before = open.get();
        }
        return false;
    }

    @Override
    public CompletableFuture<Admission> found(String storedHash) {
        boolean same = StoredHash.isOfOneAccount(storedHash)
                ? accounts.size() > 1 && ledger.pairs().fingerprint(storedHash) == fingerprint
                : accounts.size() == 1;
        if (!same) {
            return foundOtherwise(storedHash);
        }
        if (!hasCompared()) {
            open.getAndUpdate(now -> now | HAS_COMPARED);
        }
        return admitted;
    }

    /**
     * Whether a login may have compared its password with the pair's account. True for all open logins if true for one,
     * because the open logins are only counted.
     */
    private boolean hasCompared() {
        return (open.get() & HAS_COMPARED) != 0;
    }

    /** The name now belongs to another account, or the account has another password. */
    private CompletableFuture<Admission> foundOtherwise(String storedHash) {
        retire();
        BucketedLogin login = take();
        if (login == null) {
            return admitted;
        }
        if (hasCompared()) {
            login.compares();
        }
        putBack(login);
        return login.found(storedHash);
    }

    /** True, because the client has logged in. A login that finds another account continues with its own tokens. */
    @Override
    public boolean mayRecall() {
        return true;
    }

    @Override
    public boolean leavesRoom() {
        return false;
    }

    @Override
    public void matched() {}

    @Override
    public CompletableFuture<Admission> challenged() {
        retire();
        BucketedLogin login = take();
        if (login == null) {
            return admitted;
        }
        CompletableFuture<Admission> asked = login.challenged();
        CompletableFuture<Admission> answer = cancelling(asked);
        // The caller settles this login after the answer, so the tokens are back before the answer.
        Futures.onEnd(asked, (admission, failure) -> {
            if (!(admission instanceof Admission.Admitted)) {
                putBack(login);
            }
            if (failure == null) {
                answer.complete(admission);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        return answer;
    }

    /** A dependent future would not pass its cancellation on. The tokens of the login would then stay open for ever. */
    private static CompletableFuture<Admission> cancelling(CompletableFuture<Admission> asked) {
        return new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                return asked.cancel(mayInterrupt);
            }
        };
    }

    @Override
    public void settle(AttemptResult result, @Nullable CharSequence password) {
        if (result == AttemptResult.FAILED
                || result == AttemptResult.CHALLENGED
                || result == AttemptResult.OVERLOADED) {
            retire();
        } else if (end()) {
            ledger.counts().settled(result);
            return;
        }
        BucketedLogin login = take();
        if (login != null) {
            login.settle(result, password);
        }
    }

    @Override
    public Consumer<Boolean> settleChallenged() {
        retire();
        BucketedLogin login = take();
        return login == null ? passed -> {} : login.settleChallenged();
    }

    @Override
    public void stepAdded() {
        ledger.stepAdded(accounts);
    }

    /** Ends a login; false after the retirement. The end of the last open login clears {@link #HAS_COMPARED}. */
    private boolean end() {
        int before = open.get();
        while (before >= LOGIN) {
            int left = before - LOGIN;
            if (open.compareAndSet(before, left == HAS_COMPARED ? 0 : left)) {
                return true;
            }
            before = open.get();
        }
        return before >= 0;
    }

    /**
     * Admits no more logins, and takes the tokens of the open logins. A login calls this method before it passes the
     * buckets. The lock makes the caller wait, so that the open logins get their tokens first.
     */
    void retire() {
        lock.lock();
        try {
            int in = open.getAndUpdate(now -> now | RETIRED) / LOGIN;
            for (int i = 0; i < in; i++) {
                adopted.add(withTokens());
            }
            ledger.pairs().remove(this);
        } finally {
            lock.unlock();
        }
    }

    /** Takes the tokens of a login that was admitted without tokens. */
    private BucketedLogin withTokens() {
        BucketedLogin login = new BucketedLogin(ledger, client, accounts, null, 0);
        for (AccountKeys account : accounts) {
            KeyedBucket bucket = BucketsOfLogin.ofKnownClient(account).bucket();
            ledger.queue().open(bucket);
            Futures.onEnd(ledger.take(bucket), (take, failure) -> {
                if (take != null && take.taken()) {
                    login.add(bucket);
                } else {
                    ledger.close(bucket);
                }
            });
        }
        return login;
    }

    /** Keeps the tokens until their login is settled. */
    private void putBack(BucketedLogin login) {
        lock.lock();
        try {
            adopted.add(login);
        } finally {
            lock.unlock();
        }
    }

    /** The tokens of one login that was open at the retirement; null for a login settled earlier. */
    private @Nullable BucketedLogin take() {
        lock.lock();
        try {
            return adopted.poll();
        } finally {
            lock.unlock();
        }
    }
}
