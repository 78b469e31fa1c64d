package dev.latchkey.auth.spring.login;

/** The credentials are right, but the account has the maximum of sessions. No session was started. */
public enum AccountFull implements LoginOutcome {
    /** The only value. */
    ACCOUNT_FULL
}
