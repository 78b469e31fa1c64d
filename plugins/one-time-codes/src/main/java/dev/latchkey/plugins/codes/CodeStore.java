package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.Optional;

/**
 * Keeps one {@link StoredCodes} for each account, and changes it by compare-and-set: what makes a code good once is decided by who reads, and
 * holds because two who have read the same cannot both write.
 *
 * <p>Accounts are compared letter by letter, upper and lower case apart. A write is there for everybody, and stays, once the call
 * returns. Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} where the store does not answer.
 */
public interface CodeStore {

    Optional<StoredCodes> find(String account);

    /**
     * Stores the first of an account.
     *
     * @return whether there was none
     */
    boolean insert(String account, StoredCodes codes);

    /**
     * Stores this in place of what was read.
     *
     * @param revision of what was read
     * @return whether that was still there
     */
    boolean update(String account, String revision, StoredCodes codes);

    /**
     * Removes all of an account.
     *
     * @return whether there was anything
     */
    boolean delete(String account);
}
