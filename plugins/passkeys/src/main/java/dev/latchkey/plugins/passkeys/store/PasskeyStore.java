package dev.latchkey.plugins.passkeys.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps passkeys, and the challenges that were used. Ids and accounts are compared letter by letter.
 *
 * <p>A write is there for every node, and stays, once the call returns. Safe for use by any number of threads. Each method throws {@link
 * AuthUnavailableException} where the store does not answer.
 */
public interface PasskeyStore {

    /** The maximum number of passkeys of an account. */
    int MOST = 8;

    /**
     * The passkey of this credential id.
     *
     * @param id as in {@link StoredPasskey#id()}
     * @return empty if there is none
     */
    Optional<StoredPasskey> find(String id);

    /**
     * The passkeys of an account, the oldest first.
     *
     * @param account the subject's id
     * @return at most {@link #MOST}
     */
    List<StoredPasskey> ofAccount(String account);

    /**
     * Stores a new passkey, unless its id is taken by any account, or the account has the maximum.
     *
     * @param key the new passkey
     * @param most the maximum for the account with this passkey, 1 to {@link #MOST}; concurrent calls do not exceed the maximum
     * @return whether the passkey was stored
     */
    boolean insert(StoredPasskey key, int most);

    /**
     * Writes the changes of a login, if the counter is unchanged.
     *
     * @param id of the passkey
     * @param before the counter at the last reading
     * @param now the counter of the authenticator
     * @param at the time of the use
     * @return {@code false} if the passkey is gone or has another counter
     */
    boolean used(String id, long before, long now, Instant at);

    /**
     * Removes a passkey of this account.
     *
     * @param account the subject's id
     * @param id of the passkey
     * @return whether the account had this passkey
     */
    boolean delete(String account, String id);

    /**
     * Removes all passkeys of this account.
     *
     * @param account the subject's id
     * @return the number of removed passkeys
     */
    int deleteAll(String account);

    /**
     * Uses a challenge up.
     *
     * @param digest of the challenge, at most 64 characters
     * @param until the expiry of the challenge; afterwards the store may forget the use
     * @param now the present time; expired challenges may be forgotten
     * @return {@code true} for a single caller
     */
    boolean spend(String digest, Instant until, Instant now);
}
