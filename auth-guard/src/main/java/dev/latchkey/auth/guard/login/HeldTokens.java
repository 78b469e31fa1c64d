package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.bucket.BucketKey;
import dev.latchkey.auth.guard.bucket.BucketStore;
import dev.latchkey.auth.guard.bucket.LimitKeys.Where;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A login that has passed buckets, and the tokens of them that it holds. Settling it again does nothing.
 *
 * <p>Safe for use by any number of threads.
 */
final class HeldTokens implements Reservation {

    private final LoginLedger ledger;
    private final Where where;
    private final Who named;

    @Nullable
    private final BucketKey guess;

    private final long spelling;

    /** Asked for what is counted by the name: before the check, and again where a second step is wanted. Both together wait no longer than one. */
    private final BucketStore buckets;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Who> accounts = new ArrayList<>(2);
    private final List<LimitLevel> held = new ArrayList<>();
    private Who lastFound;
    private long fingerprint;
    private boolean refused;

    @Nullable
    private AttemptResult outcome;

    /**
     * @param guess the digest of the password, where it is known already
     * @param spelling the name as it was sent together with the place, for {@link KnownPairs}
     */
    HeldTokens(LoginLedger ledger, Where where, Who named, @Nullable BucketKey guess, long spelling) {
        this.ledger = ledger;
        this.where = where;
        this.named = named;
        this.lastFound = named;
        this.guess = guess;
        this.spelling = spelling;
        this.buckets = ledger.forOneLogin();
        accounts.add(named);
    }

    BucketStore buckets() {
        return buckets;
    }

    List<LimitStep> stepsOfName() {
        return ledger.steps().ofName(where, named, guess);
    }

    List<LimitStep> stepsOfFound(Who found) {
        return ledger.steps().ofFound(where, found);
    }

    /** Receives the tokens of a login that has passed: by its name, or by the account that was found. */
    void admitted(@Nullable Who found, List<LimitLevel> tokens, Duration waited) {
        if (found == null) {
            ledger.counts().admitted(waited);
        } else {
            count(found);
        }
        tokens.forEach(this::add);
    }

    /** Counts the login for this account too. Asks no bucket. */
    void count(Who found) {
        lock.lock();
        try {
            accounts.add(found);
            lastFound = found;
        } finally {
            lock.unlock();
        }
    }

    /** Receives a token. The login may have been settled meanwhile. */
    void add(LimitLevel level) {
        AttemptResult settled;
        lock.lock();
        try {
            settled = outcome;
            if (settled == null || settled == AttemptResult.CHALLENGED) {
                held.add(level);
            }
        } finally {
            lock.unlock();
        }
        // By what it was when the token came: an answer to a challenge that comes after that gives the token back
        // itself.
        if (settled != null) {
            ledger.release(level, settled);
        }
    }

    /** Notes that the account that was found must not be compared. */
    void refused() {
        lock.lock();
        try {
            refused = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CompletableFuture<Admission> found(String storedHash) {
        Who found = ledger.keys().found(storedHash, where);
        lock.lock();
        try {
            if (!storedHash.isEmpty()) {
                lastFound = found;
            }
            // What is without a hash has nothing to tell it by, and what was counted is not counted twice.
            if (storedHash.isEmpty() || outcome != null || accounts.contains(found)) {
                return CompletableFuture.completedFuture(new Admission.Admitted(this));
            }
            fingerprint = ledger.pairs().fingerprint(storedHash);
        } finally {
            lock.unlock();
        }
        return new LimitAcquisition(ledger, this, found).begin();
    }

    @Override
    public boolean mayRecall() {
        return ledger.knowsPassword(lastFound());
    }

    @Override
    public void matched() {
        ledger.matched(lastFound());
    }

    private Who lastFound() {
        lock.lock();
        try {
            return lastFound;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CompletableFuture<Admission> challenged() {
        List<Who> counted;
        boolean isPaidFor;
        lock.lock();
        try {
            counted = List.copyOf(accounts);
            isPaidFor = outcome != null || held.stream().anyMatch(level -> LoginSteps.isOfStrangers(level.bucket()));
        } finally {
            lock.unlock();
        }
        return ledger.challenged(counted) || isPaidFor
                ? CompletableFuture.completedFuture(new Admission.Admitted(this))
                : new LimitAcquisition(ledger, this, null).begin();
    }

    @Override
    public void settle(AttemptResult result, @Nullable CharSequence password) {
        if (result == AttemptResult.OVERLOADED && !mayRecall()) {
            settle(AttemptResult.NOT_ATTEMPTED, password);
            return;
        }
        boolean isGuess = result == AttemptResult.FAILED || result == AttemptResult.OVERLOADED;
        BucketKey digest = isGuess && password != null ? ledger.guess(named, password) : guess;
        AttemptResult settled;
        List<Who> counted;
        List<LimitLevel> tokens;
        lock.lock();
        try {
            if (outcome != null) {
                return;
            }
            settled = outcome(result);
            outcome = settled;
            // An account that is found only now must not come in between.
            counted = List.copyOf(accounts);
            tokens = List.copyOf(held);
        } finally {
            lock.unlock();
        }
        ledger.settle(where, counted, tokens, settled, digest);
        if (settled == AttemptResult.SUCCEEDED) {
            rememberPair(counted);
        }
    }

    @Override
    public Consumer<Boolean> settleChallenged() {
        settle(AttemptResult.CHALLENGED, null);
        return this::answered;
    }

    @Override
    public void stepAdded() {
        List<Who> counted;
        lock.lock();
        try {
            if (outcome != AttemptResult.SUCCEEDED) {
                return;
            }
            counted = List.copyOf(accounts);
        } finally {
            lock.unlock();
        }
        ledger.stepAdded(counted);
    }

    private void answered(boolean passed) {
        List<Who> counted;
        List<LimitLevel> spent;
        lock.lock();
        try {
            if (outcome != AttemptResult.CHALLENGED) {
                return;
            }
            outcome = passed ? AttemptResult.SUCCEEDED : AttemptResult.FAILED;
            counted = List.copyOf(accounts);
            spent = List.copyOf(held);
        } finally {
            lock.unlock();
        }
        if (passed) {
            ledger.passed(counted, spent);
            rememberPair(counted);
        } else {
            ledger.failed(where, counted);
        }
    }

    private void rememberPair(List<Who> counted) {
        if (counted.size() <= 2) {
            ledger.pairAdmission().remember(spelling, fingerprint, where, counted);
        }
    }

    /**
     * What the login costs. A login that was refused when its account was found has compared nothing, and costs nothing. But where an account was
     * found before that one, its password was compared: the guess at it must not become free because the other account's bucket is empty.
     */
    private AttemptResult outcome(AttemptResult result) {
        if (!refused || result == AttemptResult.SUCCEEDED) {
            return result;
        }
        return accounts.size() > 1 ? AttemptResult.FAILED : AttemptResult.NOT_ATTEMPTED;
    }
}
