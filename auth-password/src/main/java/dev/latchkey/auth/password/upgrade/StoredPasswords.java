package dev.latchkey.auth.password.upgrade;

/**
 * The storage of hashes. {@link PasswordUpgrade} replaces hashes through this interface.
 *
 * <p>Safe for use by any number of threads, and on several nodes at once.
 */
@FunctionalInterface
public interface StoredPasswords {

    /**
     * Stores the replacement in one step if the account's hash is still the expected hash. A new hash of the old
     * password must not overwrite a password changed in the meantime.
     *
     * @param account the name given to {@link PasswordUpgrade#afterSuccess}
     * @param expected the hash at the login
     * @param replacement a new hash of the same password
     * @return whether the hash was stored; {@code false} if the account is gone or has another hash
     * @throws RuntimeException if the store does not answer
     */
    boolean replace(String account, String expected, String replacement);
}
