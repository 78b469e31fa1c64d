package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.LoginLimit;

/** The kinds of buckets of failures that stand before a login; {@link LoginLimitSettings} says what each holds. */
public enum LoginBucket {
    /** One for each account and place that has logged in to it. Nothing that others do drains it. */
    KNOWN_PAIR(LoginLimit.ACCOUNT_AND_SOURCE),
    /** One for each source. */
    SOURCE(LoginLimit.SOURCE),
    /** One for each /48 of IPv6 sources, which has 65,536 sources. */
    WIDE_SOURCE(LoginLimit.SOURCE),
    /** One for each account and source. */
    ACCOUNT_AND_SOURCE(LoginLimit.ACCOUNT_AND_SOURCE),
    /** One for each account and /48 of IPv6 sources. */
    ACCOUNT_AND_WIDE_SOURCE(LoginLimit.ACCOUNT_AND_SOURCE),
    /** One for each account, for sources that have not logged in to it. */
    ACCOUNT(LoginLimit.ACCOUNT),
    /** One for each account whose bucket is empty, for sources that have failed lately or are not known. */
    SLOW_LANE(LoginLimit.ACCOUNT),
    /** One for each account whose bucket is empty, for sources that have not failed lately. */
    FRESH_LANE(LoginLimit.ACCOUNT),
    /** One for all unknown sources together. */
    UNKNOWN_SOURCES(LoginLimit.UNKNOWN_SOURCES),
    /** One for all unknown sources together where {@link #UNKNOWN_SOURCES} is empty, for accounts with no failure lately. */
    QUIET_ACCOUNTS(LoginLimit.UNKNOWN_SOURCES),
    /**
     * Of wrong passwords that were tried before, which are no new guesses. One for each source, one for each account and place behind an unknown
     * source that has logged in, and one for all others from unknown sources together.
     */
    REPEATS(LoginLimit.REPEATS);

    private final LoginLimit limit;

    LoginBucket(LoginLimit limit) {
        this.limit = limit;
    }

    /**
     * The limit that a login has met when this bucket refuses it.
     *
     * @return for metrics; several buckets share one
     */
    public LoginLimit limit() {
        return limit;
    }
}
