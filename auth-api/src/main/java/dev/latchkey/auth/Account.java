package dev.latchkey.auth;

import java.util.Objects;

/**
 * An account as it is now, looked up by its name and without any credentials: for a login that is to be prolonged.
 *
 * @param state whether it may log in now, and with which authorities; no challenge, which is for logins
 * @param stamp differs once the account's own credentials have changed: the stored hash, say. Secret, and empty where there is no
 *     such thing
 */
public record Account(Verdict state, Secret stamp) {

    /**
     * An account as its plugin has it now.
     *
     * @param state whether it may log in now, and with which authorities; no challenge, which is for logins
     * @param stamp differs once the account's own credentials have changed: the stored hash, say. Secret, and empty where there is no such thing
     */
    public Account {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(stamp, "stamp");
    }
}
