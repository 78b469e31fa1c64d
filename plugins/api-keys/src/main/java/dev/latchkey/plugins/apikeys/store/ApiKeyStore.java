package dev.latchkey.plugins.apikeys.store;

import dev.latchkey.auth.AuthUnavailableException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the rows of keys. Ids and accounts are compared exactly, including case.
 *
 * <p>After a method returns, all nodes see the write, and the write is durable. Safe for use by any number of threads.
 * Each method throws {@link AuthUnavailableException} if the store does not answer.
 */
public interface ApiKeyStore {

    /**
     * The key with this id, possibly expired.
     *
     * @param id from {@link StoredKey#id()}
     * @return the latest row; empty for an unknown key
     */
    Optional<StoredKey> find(String id);

    /**
     * The keys of an account, oldest first.
     *
     * @param account the subject's id
     * @return including expired keys
     */
    List<StoredKey> ofAccount(String account);

    /** The result of an insertion. */
    enum Insertion {
        /** The key is stored. */
        DONE,
        /** Another key has this id. Nothing is stored. */
        ID_EXISTS,
        /** The account has as many keys as it may have. Nothing is stored. */
        NO_ROOM
    }

    /**
     * Stores a new key, if the account has room. Simultaneous insertions never exceed the limit together, and each
     * insertion below the limit succeeds.
     *
     * @param key with a random id
     * @param most the limit of keys for the account, at least 1; expired keys count
     * @return the reason if nothing is stored
     */
    Insertion insert(StoredKey key, int most);

    /**
     * Changes the name of a key.
     *
     * @param account the subject's id
     * @param id of the key
     * @param name the new name
     * @return whether the account has this key
     */
    boolean rename(String account, String id, String name);

    /**
     * Replaces the secrets of a key: both digests, the end of the former secret, and the end of the key. Changes no other
     * value.
     *
     * @param before the earlier read
     * @param after the same key with other secrets, see {@link StoredKey#rotatedTo}
     * @return whether the account has this key, and its digest was still the digest of {@code before}
     */
    boolean replaceSecrets(StoredKey before, StoredKey after);

    /**
     * Undoes {@link #replaceSecrets}. Changes no other value. Does nothing if the digest of the key is no longer the
     * digest of {@code after}. After an outage, the key has the secrets of {@code before} or of {@code after}.
     *
     * @param before as given to the replacement
     * @param after as given to the replacement
     */
    void undoReplacement(StoredKey before, StoredKey after);

    /**
     * Replaces the digest by a digest of the same secret with another secret of digests. Does nothing if the digest is
     * no longer {@code before}.
     *
     * @param id of the key
     * @param before the digest of the earlier read
     * @param after the new digest of the same secret
     */
    void redigest(String id, String before, String after);

    /**
     * Records the use of a key. Does nothing if the recorded use is later than {@code unlessSince}.
     *
     * @param id of the key
     * @param at the time of the use
     * @param unlessSince an earlier time, for example a minute before
     */
    void used(String id, Instant at, Instant unlessSince);

    /**
     * Deletes a key.
     *
     * @param account the subject's id
     * @param id of the key
     * @return whether the account had this key
     */
    boolean delete(String account, String id);

    /**
     * Deletes the keys of an account that were issued at this time or before.
     *
     * @param account the subject's id
     * @param last inclusive, to the millisecond
     * @return the number of deleted keys
     */
    int deleteIssuedUntil(String account, Instant last);
}
