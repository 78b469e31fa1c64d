package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.LoginLimit;

/** The kinds of failure buckets before a login; {@link LoginLimitSettings} contains their sizes. */
public enum LoginBucket {
    /** One for each account and known client. Other callers never use its tokens. */
    KNOWN_CLIENT(LoginLimit.ACCOUNT_AND_SOURCE),
    /** One for each source. */
    SOURCE(LoginLimit.SOURCE),
    /** One for each /48 network of IPv6 sources. A /48 contains 65,536 sources. */
    WIDE_SOURCE(LoginLimit.SOURCE),
    /** One for each account and source. */
    ACCOUNT_AND_SOURCE(LoginLimit.ACCOUNT_AND_SOURCE),
    /** One for each account and /48 network of IPv6 sources. */
    ACCOUNT_AND_WIDE_SOURCE(LoginLimit.ACCOUNT_AND_SOURCE),
    /** One for each account, for clients that are not known. */
    ACCOUNT(LoginLimit.ACCOUNT),
    /** One for each account if {@link #ACCOUNT} is empty, for sources with recent failures and for unknown sources. */
    SLOW_ATTEMPTS(LoginLimit.ACCOUNT),
    /** One for each account if {@link #ACCOUNT} is empty, for sources without recent failures. */
    FRESH_ATTEMPTS(LoginLimit.ACCOUNT),
    /** One for all unknown sources together. */
    UNKNOWN_SOURCES(LoginLimit.UNKNOWN_SOURCES),
    /**
     * One for all unknown sources together if {@link #UNKNOWN_SOURCES} is empty, for accounts without recent failures.
     */
    QUIET_ACCOUNTS(LoginLimit.UNKNOWN_SOURCES),
    /**
     * For repeated wrong passwords, which are not new guesses. One for each source, one for each account and known
     * client behind an unknown source, and one for all other unknown sources together.
     */
    REPEATS(LoginLimit.REPEATS);

    private final LoginLimit limit;

    LoginBucket(LoginLimit limit) {
        this.limit = limit;
    }

    /**
     * The limit reported when this bucket rejects a login.
     *
     * @return for metrics; several buckets share one limit
     */
    public LoginLimit limit() {
        return limit;
    }
}
