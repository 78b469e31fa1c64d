package dev.latchkey.auth.spring.login;

/** That the credentials are right, and the account has as many logins as it may have: the new one was refused. */
public enum AccountFull implements LoginOutcome {
    ACCOUNT_FULL
}
