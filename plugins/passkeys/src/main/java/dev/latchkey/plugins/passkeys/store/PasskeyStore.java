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

    /** The most passkeys that an account can have. */
    int MOST = 8;

    /**
     * The passkey of this credential id.
     *
     * @param id as {@link StoredPasskey#id()} has it
     * @return empty where there is none
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
     * Stores a new passkey, unless its id is taken by any account, or the account has enough.
     *
     * @param key the new one
     * @param most how many the account may have with this one, 1 to {@link #MOST}; concurrent calls do not exceed it
     * @return whether it was stored
     */
    boolean insert(StoredPasskey key, int most);

    /**
     * Writes what a login changes, if the counter is still as it was read.
     *
     * @param id of the passkey
     * @param before the counter as it was read
     * @param now the counter that the authenticator sent
     * @param at when the passkey was used
     * @return {@code false} where the passkey is gone or its counter is another one by now
     */
    boolean used(String id, long before, long now, Instant at);

    /**
     * Removes a passkey of this account.
     *
     * @param account the subject's id
     * @param id of the passkey
     * @return whether the account had it
     */
    boolean delete(String account, String id);

    /**
     * Removes all passkeys of this account.
     *
     * @param account the subject's id
     * @return how many there were
     */
    int deleteAll(String account);

    /**
     * Uses a challenge up.
     *
     * @param digest of the challenge, at most 64 characters
     * @param until when the challenge ends, after which nobody need know that it was used
     * @param now the present time; challenges that ended before may be forgotten
     * @return {@code true} for one caller alone
     */
    boolean spend(String digest, Instant until, Instant now);
}
