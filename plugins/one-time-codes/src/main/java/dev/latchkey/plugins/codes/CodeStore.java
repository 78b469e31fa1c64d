package dev.latchkey.plugins.codes;

import dev.latchkey.auth.AuthUnavailableException;
import java.util.Optional;

/**
 * Keeps {@link StoredCodes} for each account, changed by compare-and-set. The reader decides whether a code is still
 * unused. The decision holds, because of two callers with the same revision only the first can write.
 *
 * <p>Accounts are compared exactly, including case. After a method returns, all nodes see the write, and the write is
 * durable. Safe for use by any number of threads. Each method throws {@link AuthUnavailableException} if the store does
 * not answer.
 */
public interface CodeStore {

    /**
     * The stored codes of an account.
     *
     * @param account the subject's id
     * @return with the revision for the next write; empty for an unknown account
     */
    Optional<StoredCodes> find(String account);

    /**
     * Stores the first codes of an account.
     *
     * @param account the subject's id
     * @param codes the complete codes
     * @return whether the account had no codes before
     */
    boolean insert(String account, StoredCodes codes);

    /**
     * Replaces the codes of an earlier read.
     *
     * @param account the subject's id
     * @param revision of the earlier read
     * @param codes the complete codes
     * @return whether the stored revision was still the given revision
     */
    boolean update(String account, String revision, StoredCodes codes);

    /**
     * Removes all codes of an account.
     *
     * @param account the subject's id
     * @return whether the account had codes
     */
    boolean delete(String account);
}
