package dev.latchkey.auth.password.upgrade;

/**
 * The place where hashes are stored, through which {@link PasswordUpgrade} replaces them.
 *
 * <p>Safe for use by any number of threads, and on several nodes at once.
 */
@FunctionalInterface
public interface StoredPasswords {

    /**
     * Stores the replacement if the account's hash still is the expected one, in one step: a password that was changed in the meantime must not be
     * overwritten with the old one.
     *
     * @param account as the login named it to {@link PasswordUpgrade#afterSuccess}
     * @param expected the hash that was read at the login
     * @param replacement a new hash of the same password
     * @return whether it was stored; {@code false} where the account is gone or has another hash
     * @throws RuntimeException if the store does not answer
     */
    boolean replace(String account, String expected, String replacement);
}
