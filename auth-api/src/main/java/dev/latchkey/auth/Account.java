package dev.latchkey.auth;

import java.util.Objects;

/**
 * The current state of an account, looked up by its name without any credentials. A session is refreshed with this
 * state.
 *
 * @param state {@link Authenticated} with the present authorities if the account may log in now, otherwise
 *     {@link Rejected}; never {@link Challenged}
 * @param stamp a secret, such as the stored hash, with a new value after each change of the account's credentials;
 *     empty if the source has no such value
 */
public record Account(Verdict state, Secret stamp) {

    /**
     * The current state of an account.
     *
     * @param state {@link Authenticated} or {@link Rejected}
     * @param stamp changes with the account's credentials; empty if the source has no such value
     */
    public Account {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(stamp, "stamp");
    }
}
