package dev.latchkey.auth.guard;

/** The limit that refused a login. For metrics and logs: a caller who was told it would learn what others do. */
public enum LoginLimit {
    /** Too many failures from this source or the network around it, whatever the accounts. */
    SOURCE,
    /** Too many failures for this account from this source or the network around it. */
    ACCOUNT_AND_SOURCE,
    /** Too many failures for this account from everywhere. Strangers then take turns, one by one. */
    ACCOUNT,
    /** Too many failures from all unknown sources together. */
    UNKNOWN_SOURCES,
    /** A wrong password that was tried before has come again too often. */
    REPEATS,
    /** Too many logins wait already. */
    WAITING
}
