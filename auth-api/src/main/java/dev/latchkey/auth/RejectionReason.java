package dev.latchkey.auth;

import java.util.Locale;

/** The reason of a rejection. Each {@link #code()} is stable and never shown to the caller. */
public enum RejectionReason {
    /** Wrong password, wrong key, wrong signature. */
    BAD_CREDENTIALS,
    /** No such account; found with the same work as a wrong password. */
    UNKNOWN_ACCOUNT,
    /** The account exists and is disabled. */
    ACCOUNT_DISABLED,
    /** The account exists and is locked at the moment. */
    ACCOUNT_LOCKED,
    /** The end date of the account has passed. */
    ACCOUNT_EXPIRED,
    /** The password is right but expired and must be changed, or the token's {@code exp} has passed. */
    CREDENTIALS_EXPIRED,
    /** Revoked by a logout, or with all credentials of the subject. */
    REVOKED,
    /** Not in the form of such credentials. */
    MALFORMED,
    /** Every plugin abstained: no plugin knows such credentials. */
    NOT_RECOGNIZED;

    /**
     * The name in lower case: {@code bad_credentials}.
     *
     * @return a stable code, the same in all versions
     */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
