package dev.latchkey.auth.guard;

/** The result of an admitted login. The result decides whether the reserved tokens are spent or returned. */
public enum AttemptResult {
    /** The password was right. The tokens are returned, and the client becomes a known client of this account. */
    SUCCEEDED,
    /** The password was wrong, or a hash was computed with an unknown result. The tokens are spent. */
    FAILED,
    /**
     * The password was right, and a second step is necessary. The tokens are spent now and returned after the step, so
     * a guess at the second step costs as much as a guess at the password. The step's result is counted separately.
     */
    CHALLENGED,
    /**
     * The password was not checked, because of too many hashes or because the account has already cost too much. For a
     * client that has shown the right password before, an overload reveals a wrong password: the cache would answer a
     * right one. Therefore the tokens are spent there, once per password. For any other client an overload reveals
     * nothing, and the tokens are returned.
     */
    OVERLOADED,
    /**
     * No password was checked, for instance because of an outage or because another plugin owns the account. The tokens
     * are returned.
     */
    NOT_ATTEMPTED
}
