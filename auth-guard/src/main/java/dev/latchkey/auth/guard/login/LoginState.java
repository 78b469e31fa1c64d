package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.bucket.LimitKeys.AccountKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one login: its accounts, its tokens, and its result. The lock guards a few operations in memory. Safe
 * for use by any number of threads.
 */
final class LoginState {

    /**
     * The account whose password is compared.
     *
     * @param account found last, or by name if none was found
     * @param fingerprint of its stored hash; 0 for an account by name
     */
    record Compared(AccountKeys account, long fingerprint) {}

    /** A login at the time of its result, without later accounts and tokens. */
    record Settled(AttemptResult outcome, List<AccountKeys> accounts, List<KeyedBucket> tokens) {}

    private final List<AccountKeys> accounts;
    private final List<KeyedBucket> tokens = new ArrayList<>();
    private Compared compared;
    private boolean hasCompared;
    private final List<AccountKeys> refused = new ArrayList<>();

    @Nullable
    private AttemptResult outcome;

    /** @param accounts by the presented name, then the accounts found so far */
    LoginState(List<AccountKeys> accounts) {
        this.accounts = new ArrayList<>(accounts);
        this.compared = new Compared(accounts.get(accounts.size() - 1), 0);
    }

    synchronized Compared compared() {
        return compared;
    }

    synchronized List<AccountKeys> accounts() {
        return List.copyOf(accounts);
    }

    /** Notes the found account. False if the login already counts for the account, or has ended. */
    synchronized boolean found(Compared found) {
        compared = found;
        return outcome == null && !accounts.contains(found.account());
    }

    /** Counts the login for the found account too. A token may come after the refusal, and then no password is compared. */
    synchronized void count(AccountKeys found) {
        accounts.add(found);
        hasCompared |= !refused.contains(found);
    }

    /** Notes that the password may be compared with an account that the login need not count again. */
    synchronized void compare() {
        hasCompared = true;
    }

    /** Notes that no password may be compared with the found account, unless the login already counts for the account. */
    synchronized void refuse(AccountKeys found) {
        if (!accounts.contains(found)) {
            refused.add(found);
        }
    }

    /**
     * Keeps a token, unless the login has ended. A challenged login keeps the token too, because the answer may return
     * it. Returns the result so far.
     */
    synchronized @Nullable AttemptResult add(KeyedBucket token) {
        if (outcome == null || outcome == AttemptResult.CHALLENGED) {
            tokens.add(token);
        }
        return outcome;
    }

    /** Whether the login has ended, or holds a token for clients that are not known. */
    synchronized boolean isPaidFor() {
        return outcome != null || tokens.stream().anyMatch(token -> BucketsOfLogin.isOfUnknownClients(token.kind()));
    }

    synchronized boolean hasSucceeded() {
        return outcome == AttemptResult.SUCCEEDED;
    }

    /** Ends the login. Returns null if the login has already ended. */
    synchronized @Nullable Settled settle(AttemptResult result) {
        return outcome == null ? settled(costOf(result)) : null;
    }

    /** Answers the login's challenge. Returns null without a challenge, or if the challenge was already answered. */
    synchronized @Nullable Settled answer(AttemptResult result) {
        return outcome == AttemptResult.CHALLENGED ? settled(result) : null;
    }

    private Settled settled(AttemptResult result) {
        outcome = result;
        return new Settled(result, List.copyOf(accounts), List.copyOf(tokens));
    }

    /**
     * The cost of the login. If the found account's limit has rejected the login, no password was compared with this account. If
     * this login has found an earlier account, the password of that account was compared. Such a guess must not become free
     * because the second account's bucket is empty.
     */
    private AttemptResult costOf(AttemptResult result) {
        if (refused.isEmpty() || result == AttemptResult.SUCCEEDED || result == AttemptResult.FAILED) {
            return result;
        }
        return hasCompared ? AttemptResult.FAILED : AttemptResult.NOT_ATTEMPTED;
    }
}
