package dev.latchkey.auth;

import java.util.Objects;

/**
 * The current state of an account, looked up by its name without any credentials. A login is prolonged by it.
 *
 * @param state {@link Authenticated} with the present authorities where the account may log in now, otherwise {@link Rejected}; never {@link Challenged}
 * @param stamp a secret that changes whenever the account's credentials change, the stored hash for instance; empty where there is none
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
