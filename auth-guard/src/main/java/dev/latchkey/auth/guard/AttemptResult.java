package dev.latchkey.auth.guard;

/** What became of a login that was admitted. */
public enum AttemptResult {
    /** The password was right: the reserved tokens go back, and the place is known for this account. */
    SUCCEEDED,
    /** It was wrong, or it cost a hash and nobody knows: the tokens are spent. */
    FAILED,
    /**
     * It was right, and another step is wanted: the tokens are spent, and go back once the step is passed. So each guess at the second
     * step costs what a guess at the password does. A login that comes so far is counted once more with what becomes of it.
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
