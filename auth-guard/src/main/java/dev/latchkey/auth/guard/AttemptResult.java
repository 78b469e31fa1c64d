package dev.latchkey.auth.guard;

/** What became of a login that was admitted. */
public enum AttemptResult {
    /** The password was right: the reserved tokens go back, and the place is known for this account. */
    SUCCEEDED,
    /** It was wrong, or it cost a hash and nobody knows: the tokens are spent. */
    FAILED,
    /** No password was checked (overload, outage, not this plugin's account): the tokens go back. */
    NOT_ATTEMPTED
}
