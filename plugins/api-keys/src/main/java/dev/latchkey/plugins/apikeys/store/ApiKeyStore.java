package dev.latchkey.plugins.apikeys.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rows of keys. Ids and accounts are compared letter by letter, upper and lower case apart.
 *
 * <p>A write is there for everybody, and stays, once the call returns. Safe for use by any number of threads. Each method throws
 * {@link AuthUnavailableException} where the store does not answer.
 */
public interface ApiKeyStore {

    /**
     * The key of this id, be it over or not; empty where there is none.
     *
     * @param id as {@link StoredKey#id()} has it
     * @return the key as it was written last
     */
    Optional<StoredKey> find(String id);

    /**
     * The keys of an account, the oldest first.
     *
     * @param account the subject's id
     * @return those that are over too
     */
    List<StoredKey> ofAccount(String account);

    /**
     * Stores a new key; whether there was none of its id.
     *
     * @param key of a random id
     * @return {@code false} where nothing was stored
     */
    boolean insert(StoredKey key);

    /**
     * Gives a key another name; whether the account has such a key.
     *
     * @param account the subject's id
     * @param id of the key
     * @param name in place of the one before
     * @return {@code false} where nothing has changed
     */
    boolean rename(String account, String id, String name);

    /**
     * Gives a key another secret. What it had is the former one.
     *
     * @param account the subject's id
     * @param id of the key
     * @param before the digest that was read
     * @param after the digest of the new secret
     * @param formerUntil from when on the former secret is not good any more
     * @param expires from when on the key is not good any more; null for never
     * @return whether the account has such a key, and its digest is still that one
     */
    boolean rotate(
            String account, String id, String before, String after, Instant formerUntil, @Nullable Instant expires);

    /**
     * Writes the digest of the same secret under another key; nothing where the digest is not {@code before} any more.
     *
     * @param id of the key
     * @param before the digest that was read
     * @param after the digest of the same secret under the present key
     */
    void redigest(String id, String before, String after);

    /**
     * Notes that a key was used; nothing where a use is noted that is younger than {@code unlessSince}.
     *
     * @param id of the key
     * @param at when it was used
     * @param unlessSince an earlier time, a minute before say
     */
    void used(String id, Instant at, Instant unlessSince);

    /**
     * Deletes a key; whether the account had it.
     *
     * @param account the subject's id
     * @param id of the key
     * @return {@code false} where nothing has changed
     */
    boolean delete(String account, String id);

    /**
     * Deletes the keys of an account that were issued at this time or before.
     *
     * @param account the subject's id
     * @param last inclusive, to the millisecond
     * @return how many there were
     */
    int deleteIssuedUntil(String account, Instant last);
}
