package dev.latchkey.auth;

import java.util.Locale;

/** Why credentials were refused; the {@link #code()} of each is stable, and never shown to the caller. */
public enum RejectionReason {
    /** Wrong password, wrong key, wrong signature. */
    BAD_CREDENTIALS,
    /** No such account, found after the same work as for a wrong password. */
    UNKNOWN_ACCOUNT,
    /** The account exists and is switched off. */
    ACCOUNT_DISABLED,
    /** The account exists and is locked for now. */
    ACCOUNT_LOCKED,
    /** The account's own end date has passed. */
    ACCOUNT_EXPIRED,
    /** The password was right once and must be changed, or the token's {@code exp} has passed. */
    CREDENTIALS_EXPIRED,
    /** Revoked by a logout, a change of password or an administrator. */
    REVOKED,
    /** Not in the form that such credentials have. */
    MALFORMED,
    /** Every plugin abstained: nobody here knows such credentials. */
    NOT_RECOGNIZED;

    /**
     * The name in lower case: {@code bad_credentials}.
     *
     * @return a code that stays the same between versions
     */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }
}
