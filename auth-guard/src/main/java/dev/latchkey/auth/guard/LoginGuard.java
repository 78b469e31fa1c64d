package dev.latchkey.auth.guard;

import dev.latchkey.auth.AuthChain;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Decision;
import dev.latchkey.auth.PasswordCredentials;
import dev.latchkey.auth.Rejected;
import dev.latchkey.auth.Verdict;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The one place that every password passes before it is hashed: the limits, then a turn of its account, then the pool.
 *
 * <p>Basic, forms, login endpoints, servlet and reactive all come through here, so that no way in is without limits. Whoever
 * knows without a hash that a login is good (a cache of verified credentials) does not come here: a hit passes every limit,
 * and no flood of others can keep it out.
 *
 * <p>A refusal by a limit is an {@link AuthUnavailableException} of kind {@code THROTTLED}, one by the pool of kind
 * {@code OVERLOAD}; both know when to try again, and neither is a rejection.
 *
 * <p>Called from inside a check that it already runs, it lets the work pass: a guarded plugin within a guarded chain counts
 * once. Safe for use by any number of threads, platform or virtual.
 */
public final class LoginGuard {

    private final LoginLimits limits;
    private final HashingPool pool;
    private final HeldRefusals refusals;
    private final AccountTurns turns;

    /** A guard that tells every refusal at once. It does not close the pool. */
    public LoginGuard(LoginLimits limits, HashingPool pool) {
        this(limits, pool, new HeldRefusals(Duration.ZERO, 0, limits.time()));
    }

    /**
     * A guard that closes neither of them.
     *
     * @param refusals for those of its callers that have no thread wait: the guard itself does not hold what it refuses
     */
    public LoginGuard(LoginLimits limits, HashingPool pool, HeldRefusals refusals) {
        this.limits = limits;
        this.pool = pool;
        this.refusals = refusals;
        this.turns = new AccountTurns(pool.settings().threads(), limits);
    }

    /**
     * Has this password checked by this chain, on a thread of the pool, when the limits admit it.
     *
     * @param memoryBytes that the hash will allocate, 0 for one that needs none to speak of
     * @return as {@link #submit}
     */
    public CompletableFuture<Verdict> authenticate(
            AuthChain chain, PasswordCredentials credentials, ClientSource source, long memoryBytes) {
        LoginAttempt attempt = new LoginAttempt(credentials.username(), source);
        return submit(attempt, memoryBytes, () -> chain.authenticate(credentials), LoginGuard::resultOf);
    }

    /**
     * Has a password checked on a thread of the pool, when the limits admit it. No thread waits meanwhile.
     *
     * @param memoryBytes that the hash will allocate, 0 for one that needs none to speak of
     * @param check hashes; what it throws, the returned future fails with, and it counts as a failed attempt, unless it is an
     *     {@link AuthUnavailableException}: then no password was checked
     * @param resultOf what the answer means for the limits
     * @return completes with the answer, or exceptionally. Completed by a thread of the pool or a timer: what depends on it
     *     must be short, or use the {@code Async} methods. Cancelling it takes the attempt out of every line; a hash that
     *     runs already is counted as what it turns out to be
     */
    public <T> CompletableFuture<T> submit(
            LoginAttempt attempt,
            long memoryBytes,
            Callable<? extends T> check,
            Function<? super T, AttemptResult> resultOf) {
        try (LoginSession login = open(attempt)) {
            return login.submit(memoryBytes, check, resultOf);
        }
    }

    /** A login that may cost several hashes, which count as one attempt. Costs nothing until the first. */
    public LoginSession open(LoginAttempt attempt) {
        return new LoginSession(this, attempt);
    }

    /**
     * As {@link #submit}, and waits for the answer; a virtual thread gives its carrier back meanwhile.
     *
     * @throws AuthUnavailableException if a limit or the pool refuses, or the waiting thread is interrupted
     * @throws Exception that the check threw
     */
    public <T> T call(
            LoginAttempt attempt,
            long memoryBytes,
            Callable<? extends T> check,
            Function<? super T, AttemptResult> resultOf)
            throws Exception {
        return Stages.await(submit(attempt, memoryBytes, check, resultOf));
    }

    public LoginLimits limits() {
        return limits;
    }

    public HashingPool pool() {
        return pool;
    }

    /** Where a caller that has no thread wait holds what was refused. */
    public HeldRefusals refusals() {
        return refusals;
    }

    AccountTurns turns() {
        return turns;
    }

    /** A plugin that abstains checked no password; every rejection is a failure, whatever its reason. */
    static AttemptResult resultOf(Decision decision) {
        if (decision instanceof Authenticated) {
            return AttemptResult.SUCCEEDED;
        }
        return decision instanceof Rejected ? AttemptResult.FAILED : AttemptResult.NOT_ATTEMPTED;
    }
}
