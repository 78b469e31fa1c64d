package dev.latchkey.auth.guard;

/** How a login ended that the limits had admitted; it decides whether the reserved tokens are spent or go back. */
public enum AttemptResult {
    /** The password was right. The tokens go back, and the place is known for this account from now on. */
    SUCCEEDED,
    /** The password was wrong, or a hash was computed and its result is not known. The tokens are spent. */
    FAILED,
    /**
     * The password was right, and a second step is wanted. The tokens are spent now and go back once the step is passed, so a guess at the second
     * step costs as much as a guess at the password. The result of the step is counted as a further result.
     */
    CHALLENGED,
    /**
     * The password was not checked, because too many hashes were wanted or the account has cost too much already. Where the right password was shown
     * before, an overload gives a wrong one away: a right one is remembered there and would have been answered. So the tokens are spent there, once
     * for each password however often it comes. From anywhere else an overload tells nothing, and the tokens go back.
     */
    OVERLOADED,
    /** No password was checked, for instance because of an outage or because the account is another plugin's. The tokens go back. */
    NOT_ATTEMPTED
}
