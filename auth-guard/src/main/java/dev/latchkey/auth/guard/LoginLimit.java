package dev.latchkey.auth.guard;

/** Which limit a login met. */
public enum LoginLimit {
    /** Too many failures from this source, for whatever accounts. */
    SOURCE,
    /** Too many failures for this account from this source. */
    ACCOUNT_AND_SOURCE,
    /** Too many failures for this account from everywhere: strangers take turns in its slow lane. */
    ACCOUNT,
    /** Too many logins wait already. */
    WAITING
}
