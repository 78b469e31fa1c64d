package dev.latchkey.auth.guard;

/**
 * The limit that rejected a login. Use the limit only for metrics and logs: a caller could learn about other callers
 * from the limit.
 */
public enum LoginLimit {
    /** Too many failures from the client IP or its wider network, for any accounts. */
    SOURCE,
    /** Too many failures for the account from the client IP or its wider network. */
    ACCOUNT_AND_SOURCE,
    /** Too many failures for this account from all sources. Unknown clients are then admitted one at a time. */
    ACCOUNT,
    /** Too many failures from all unknown sources together. */
    UNKNOWN_SOURCES,
    /** The same wrong password was repeated too often. */
    REPEATS,
    /** Too many logins are waiting. */
    WAITING
}
