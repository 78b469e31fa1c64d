package dev.latchkey.auth.spring.account;

/**
 * Hears of ended sessions, of tokens to act for another account, and of logins rejected because the account is full. Beans of this
 * type are called; for audit, metrics, or a message to the owner.
 *
 * <p>Called on the thread of the event, so the call must be quick. Exceptions are logged and change nothing. An expired session
 * makes no call. If several nodes end a session at the same time, one node calls. Must be thread-safe.
 */
public interface LoginListener {

    /** Why a login ended. */
    enum Cause {
        /** The client sent one of the session's tokens to logout or revocation. */
        LOGOUT,
        /** The account's owner ended the session from the list. */
        OWNER,
        /** An operator ended the session, or the service by {@link LoginControl}. */
        OPERATOR,
        /** A newer session took the place. */
        DISPLACED,
        /** A replaced refresh token came again. The token may be stolen. */
        REUSE,
        /**
         * A refresh found the session expired or revoked, or the account changed, disabled or deleted. Or another registered client
         * sent the refresh token.
         */
        ACCOUNT
    }

    /**
     * A session has ended.
     *
     * @param subjectId the session's subject
     * @param cause the cause of the end
     */
    default void ended(String subjectId, Cause cause) {}

    /**
     * A login with right credentials was rejected, because the account is full.
     *
     * @param subjectId the login's subject
     */
    default void refused(String subjectId) {}

    /**
     * An account begins to act as another account.
     *
     * @param actorId the acting account
     * @param subjectId the account of the issued tokens
     */
    default void acting(String actorId, String subjectId) {}
}
