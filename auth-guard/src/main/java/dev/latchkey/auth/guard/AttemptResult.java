package dev.latchkey.auth.guard;

/** The result of a login that was admitted. */
public enum AttemptResult {
    /** The password was right: the reserved tokens go back, and the place is known for this account. */
    SUCCEEDED,
    /** The password was wrong, or a hash was computed without a known result: the tokens are spent. */
    FAILED,
    /**
     * The password was right, and a second step is wanted: the tokens are spent, and go back once the step is passed. So a guess at the second step
     * costs as much as a guess at the password. The result of the second step is counted as another one.
     */
    CHALLENGED,
    /**
     * What checks passwords would not: it was too busy, or the account has cost too much already. Where the right password was shown before, one
     * that is remembered is answered all the same, so that this tells a wrong one: the tokens are spent, once for each password however often
     * it comes. From anywhere else nothing is told, and the tokens go back.
     */
    OVERLOADED,
    /** No password was checked (outage, not this plugin's account): the tokens go back. */
    NOT_ATTEMPTED
}
