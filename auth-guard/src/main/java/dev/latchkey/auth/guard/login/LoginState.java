package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.AttemptResult;
import dev.latchkey.auth.guard.bucket.LimitKeys.Who;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one login is about, and what it came to: the accounts that it counts for, its tokens, and its outcome. The lock guards a few operations in
 * memory. Safe for use by any number of threads.
 */
final class LoginState {

    /**
     * The account whose password is compared.
     *
     * @param account that was found last, or the one that was named where none was found
     * @param fingerprint of its stored hash; 0 for one that was named
     */
    record Compared(Who account, long fingerprint) {}

    /** A login at the moment when it got this outcome. An account or a token that comes later is not among these. */
    record Settled(AttemptResult outcome, List<Who> accounts, List<LimitLevel> tokens) {}

    private final List<Who> accounts;
    private final List<LimitLevel> tokens = new ArrayList<>();
    private Compared compared;
    private boolean refused;

    @Nullable
    private AttemptResult outcome;

    /** @param accounts by the name that was sent, and then those that were found already */
    LoginState(List<Who> accounts) {
        this.accounts = new ArrayList<>(accounts);
        this.compared = new Compared(accounts.get(accounts.size() - 1), 0);
    }

    synchronized Compared compared() {
        return compared;
    }

    synchronized List<Who> accounts() {
        return List.copyOf(accounts);
    }

    /** Notes the account that was found. False where the login counts for it already, or has ended. */
    synchronized boolean found(Compared found) {
        compared = found;
        return outcome == null && !accounts.contains(found.account());
    }

    /** Counts the login for the account that was found too. */
    synchronized void count(Who found) {
        accounts.add(found);
    }

    /** Notes that the account that was found must not be compared. */
    synchronized void refuse() {
        refused = true;
    }

    /** Keeps a token, unless the login has ended. A challenged one may still give it back. Returns what the login came to before. */
    synchronized @Nullable AttemptResult add(LimitLevel token) {
        if (outcome == null || outcome == AttemptResult.CHALLENGED) {
            tokens.add(token);
        }
        return outcome;
    }

    /** Whether the login has ended, or holds a token that strangers take. */
    synchronized boolean isPaidFor() {
        return outcome != null || tokens.stream().anyMatch(token -> LoginSteps.isOfStrangers(token.bucket()));
    }

    synchronized boolean hasSucceeded() {
        return outcome == AttemptResult.SUCCEEDED;
    }

    /** Ends the login; null where it has ended before. */
    synchronized @Nullable Settled settle(AttemptResult result) {
        return outcome == null ? settled(costOf(result)) : null;
    }

    /** Answers the challenge that the login ended with; null where it did not, or was answered before. */
    synchronized @Nullable Settled answer(AttemptResult result) {
        return outcome == AttemptResult.CHALLENGED ? settled(result) : null;
    }

    private Settled settled(AttemptResult result) {
        outcome = result;
        return new Settled(result, List.copyOf(accounts), List.copyOf(tokens));
    }

    /**
     * What the login costs. A login that was refused when its account was found has compared nothing, and costs nothing. But where an account was
     * found before that one, its password was compared: the guess at it must not become free because the other account's bucket is empty.
     */
    private AttemptResult costOf(AttemptResult result) {
        if (!refused || result == AttemptResult.SUCCEEDED) {
            return result;
        }
        return accounts.size() > 1 ? AttemptResult.FAILED : AttemptResult.NOT_ATTEMPTED;
    }
}
