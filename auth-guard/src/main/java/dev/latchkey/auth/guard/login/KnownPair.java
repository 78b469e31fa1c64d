package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An account and a place that has logged in to it and has not failed since: one reservation for all its logins.
 *
 * <p>Such a pair's bucket is full. So its logins take no token; they are only counted, and there are never more of them than the bucket has tokens.
 * With the first that fails, or the first that has to pass the buckets, the entry retires: each login that is open then gets the tokens that it would
 * have taken, and is settled with them. So a flood of wrong passwords costs what it costs elsewhere.
 *
 * <p>Logins that pass the buckets while another one of the pair succeeds keep their own tokens, and the pair is known again beside them, for as many
 * logins less. One race is left open: a login that looked for the pair before that, and asks the bucket after it, is not among those counted. It can
 * happen once, since after the first failure the pair is not known before its bucket is full again.
 *
 * <p>Open logins of one pair have their tokens in common: which of them gets which makes no difference. Each must be settled exactly once. Safe for
 * use by any number of threads.
 */
final class KnownPair implements Reservation {

    private static final int RETIRED = -1;

    private final LoginLedger ledger;
    private final long spelling;
    private final long fingerprint;
    private final Where where;
    private final List<Who> accounts;
    private final int failures;
    private final int most;
    private final long endsAt;
    private final CompletableFuture<Admission> admitted =
            CompletableFuture.completedFuture(new Admission.Admitted(this));
    private final AtomicInteger open = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<HeldTokens> tokens = new ArrayDeque<>();

    /**
     * @param accounts by its name, and then as it was found, if it was
     * @param fingerprint of that one's stored hash
     * @param failures of the accounts, as counted before it was seen that nothing has failed
     * @param most logins at a time
     */
    KnownPair(
            LoginLedger ledger,
            long spelling,
            long fingerprint,
            Where where,
            List<Who> accounts,
            int failures,
            int most,
            long endsAt) {
        this.ledger = ledger;
        this.spelling = spelling;
        this.fingerprint = fingerprint;
        this.where = where;
        this.accounts = List.copyOf(accounts);
        this.failures = failures;
        this.most = most;
        this.endsAt = endsAt;
    }

    long spelling() {
        return spelling;
    }

    List<Who> accounts() {
        return accounts;
    }

    /** Whether it still lets logins in. */
    boolean holds(long now) {
        return now - endsAt < 0 && open.get() != RETIRED && ledger.pairs().failuresOf(accounts) == failures;
    }

    /** Begins a login; false where the login has to pass the buckets. */
    boolean begin(long now) {
        if (!holds(now)) {
            return false;
        }
        int before = open.get();
        while (before >= 0 && before < most) {
            if (open.compareAndSet(before, before + 1)) {
                return true;
            }
            before = open.get();
        }
        return false;
    }

    @Override
    public CompletableFuture<Admission> found(String storedHash) {
        boolean same = accounts.size() > 1 && ledger.pairs().fingerprint(storedHash) == fingerprint;
        return same ? admitted : foundOtherwise(storedHash);
    }

    /** The name leads to another account than it did, or to one with another password. */
    private CompletableFuture<Admission> foundOtherwise(String storedHash) {
        retire();
        HeldTokens login = take();
        if (login == null) {
            return admitted;
        }
        putBack(login);
        return login.found(storedHash);
    }

    /** True, since the pair has logged in. A login that finds another account goes on with tokens of its own. */
    @Override
    public boolean mayRecall() {
        return true;
    }

    @Override
    public void matched() {}

    @Override
    public CompletableFuture<Admission> challenged() {
        retire();
        HeldTokens login = take();
        if (login == null) {
            return admitted;
        }
        return login.challenged().whenComplete((admission, failure) -> {
            if (!(admission instanceof Admission.Admitted)) {
                putBack(login);
            }
        });
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
        HeldTokens login = take();
        if (login != null) {
            login.settle(result, password);
        }
    }

    @Override
    public Consumer<Boolean> settleChallenged() {
        retire();
        HeldTokens login = take();
        return login == null ? passed -> {} : login.settleChallenged();
    }

    @Override
    public void stepAdded() {
        ledger.stepAdded(accounts);
    }

    private boolean end() {
        int before = open.get();
        while (before > 0) {
            if (open.compareAndSet(before, before - 1)) {
                return true;
            }
            before = open.get();
        }
        return before == 0;
    }

    /**
     * Admits no more logins, and gives the open ones their tokens. A login that is about to pass the buckets calls this first and waits for the lock,
     * so that it takes no token that belongs to an open login.
     */
    void retire() {
        lock.lock();
        try {
            int in = open.getAndSet(RETIRED);
            for (int i = 0; i < in; i++) {
                tokens.add(ledger.pairAdmission().adopt(where, accounts));
            }
            ledger.pairs().remove(this);
        } finally {
            lock.unlock();
        }
    }

    /** Leaves the tokens for the end of the login that they were taken for. */
    private void putBack(HeldTokens login) {
        lock.lock();
        try {
            tokens.add(login);
        } finally {
            lock.unlock();
        }
    }

    /** The tokens of one login that was open when this retired; null for one that was settled before. */
    private @Nullable HeldTokens take() {
        lock.lock();
        try {
            return tokens.poll();
        } finally {
            lock.unlock();
        }
    }
}
