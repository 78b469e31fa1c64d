package dev.latchkey.auth.spring.account;

/**
 * Hears of the ends of logins that refresh tokens prolong, and of logins that were refused since the account has as many as it may have.
 * Beans of this type are told; for audit, metrics, or a message to the owner.
 *
 * <p>Called on the thread that ended the login, so it must be quick. What it throws is logged and changes nothing. A login that expires
 * is not told, and one that nodes end at once is told by one of them. Safe for use by any number of threads.
 */
public interface LoginListener {

    /** Why a login ended. */
    enum Cause {
        /** One of its tokens was sent to logout or revocation. */
        LOGOUT,
        /** The owner of the account ended it from the list. */
        OWNER,
        /** An operator ended it. */
        OPERATOR,
        /** A newer login took its place. */
        DISPLACED,
        /** A refresh token came a second time: somebody else may have it. */
        REUSE,
        /** At a refresh its time was over, or its account was not what it had been. */
        ACCOUNT
    }

    /** A login of this subject has ended. */
    default void ended(String subjectId, Cause cause) {}

    /** A login of this subject was refused, whose credentials were right. */
    default void refused(String subjectId) {}
}
