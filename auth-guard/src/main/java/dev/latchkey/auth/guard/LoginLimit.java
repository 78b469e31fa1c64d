package dev.latchkey.auth.guard;

/** Which limit a login met. */
public enum LoginLimit {
    /** Too many failures from this source or the network around it, for whatever accounts. */
    SOURCE,
    /** Too many failures for this account from this source or the network around it. */
    ACCOUNT_AND_SOURCE,
    /** Too many failures for this account from everywhere: strangers take turns in its lanes. */
    ACCOUNT,
    /** Too many failures from sources that are not known. */
    UNKNOWN_SOURCES,
    /** The same wrong password too often. */
    REPEATS,
    /** Too many logins wait already. */
    WAITING
}
