package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;

/**
 * An attempt to log in, before any check.
 *
 * @param account as presented, without proof
 * @param source found with {@link TrustedProxies}
 * @param exact the account with the kind of the credentials. The limits count all spellings of a name together. A client is
 *     known only for the same spelling and the same kind, because another source may decide about these
 */
public record LoginAttempt(String account, ClientSource source, String exact) {

    /**
     * An attempt with a password.
     *
     * @param account as presented, without proof
     * @param source found with {@link TrustedProxies}
     */
    public LoginAttempt(String account, ClientSource source) {
        this(account, source, account);
    }

    /** Shows only the source: a presented name may be a password in the wrong field. */
    @Override
    public String toString() {
        return "LoginAttempt[source=" + source.network() + "]";
    }
}
