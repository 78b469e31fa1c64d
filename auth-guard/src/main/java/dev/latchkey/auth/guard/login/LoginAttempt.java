package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;

/**
 * An attempt to log in, before any check.
 *
 * @param account as presented, without proof
 * @param source found with {@link TrustedProxies}
 */
public record LoginAttempt(String account, ClientSource source) {

    /** Shows only the source: a presented name may be a password in the wrong field. */
    @Override
    public String toString() {
        return "LoginAttempt[source=" + source.network() + "]";
    }
}
