package dev.latchkey.auth.guard.login;

import dev.latchkey.auth.guard.source.ClientSource;
import dev.latchkey.auth.guard.source.TrustedProxies;

/**
 * An attempt to log in, before anything of it is checked.
 *
 * @param account as the caller wrote it; not proved
 * @param source found with {@link TrustedProxies}
 */
public record LoginAttempt(String account, ClientSource source) {

    /** Shows the source alone: what a caller typed as a name may be a password in the wrong field. */
    @Override
    public String toString() {
        return "LoginAttempt[source=" + source.network() + "]";
    }
}
