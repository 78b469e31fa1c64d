package dev.latchkey.auth.spring.account;

/**
 * Hears of the ends of logins that refresh tokens prolong, and of logins that were refused since the account has as many as it may have.
 * Beans of this type are told; for audit, metrics, or a message to the owner.
 *
 * <p>Called on the thread that ended the login, so it must be quick. What it throws is logged and changes nothing. Nobody is told of a login
 * that expires. Where several nodes end a login at the same time, one of them tells it. Safe for use by any number of threads.
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
        /** A refresh found that its time was over, that its tokens were revoked, or that its account has another password, may not log in, or is gone. */
        ACCOUNT
    }

    /**
     * A login has ended.
     *
     * @param subjectId whose it was
     * @param cause who or what ended it
     */
    default void ended(String subjectId, Cause cause) {}

    /**
     * A login was refused whose credentials were right.
     *
     * @param subjectId who has as many logins as he may have
     */
    default void refused(String subjectId) {}
}
