package dev.latchkey.auth.guard;

/** The buckets of failures that stand before a login; {@link LoginLimitSettings} says what each is for. */
public enum LoginBucket {
    /** One for each source. */
    SOURCE(LoginLimit.SOURCE),
    /** One for each account and source. */
    ACCOUNT_AND_SOURCE(LoginLimit.ACCOUNT_AND_SOURCE),
    /** One for each account, for sources that have not logged in to it. */
    ACCOUNT(LoginLimit.ACCOUNT),
    /** One for each account of which the bucket is empty, for sources that have failed lately. */
    SLOW_LANE(LoginLimit.ACCOUNT),
    /** One for each account of which the bucket is empty, for sources that have not failed lately. */
    FRESH_LANE(LoginLimit.ACCOUNT);

    private final LoginLimit limit;

    LoginBucket(LoginLimit limit) {
        this.limit = limit;
    }

    /** What a login has met that this bucket refuses. */
    public LoginLimit limit() {
        return limit;
    }

    boolean isLane() {
        return this == SLOW_LANE || this == FRESH_LANE;
    }
}
