package dev.latchkey.auth.spring.login;

/** The credentials are right, and the new login was refused: the account has as many logins as it may have. */
public enum AccountFull implements LoginOutcome {
    /** The only value: there is nothing more to say. */
    ACCOUNT_FULL
}
