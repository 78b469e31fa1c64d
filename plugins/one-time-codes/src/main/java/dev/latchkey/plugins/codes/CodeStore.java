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

    /**
     * What is stored of an account; empty where there is nothing.
     *
     * @param account the subject's id
     * @return with the revision by which it can be replaced
     */
    Optional<StoredCodes> find(String account);

    /**
     * Stores the first of an account.
     *
     * @param account the subject's id
     * @param codes what is to be stored, whole
     * @return whether there was none
     */
    boolean insert(String account, StoredCodes codes);

    /**
     * Stores this in place of what was read.
     *
     * @param account the subject's id
     * @param revision of what was read
     * @param codes what is to be stored, whole
     * @return whether that was still there
     */
    boolean update(String account, String revision, StoredCodes codes);

    /**
     * Removes all of an account.
     *
     * @param account the subject's id
     * @return whether there was anything
     */
    boolean delete(String account);
}
