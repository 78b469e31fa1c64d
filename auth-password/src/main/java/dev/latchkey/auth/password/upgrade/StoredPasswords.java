package dev.latchkey.auth.password.upgrade;

/**
 * Where hashes are stored: what {@link PasswordUpgrade} replaces them through.
 *
 * <p>Safe for use by any number of threads, and on several nodes at once.
 */
@FunctionalInterface
public interface StoredPasswords {

    /**
     * Stores the replacement if the account's hash still is the expected one, in one step: a password that was changed in the
     * meantime must not be overwritten with the old one.
     *
     * @return whether it was stored; {@code false} where the account is gone or has another hash
     * @throws RuntimeException if the store does not answer
     */
    boolean replace(String account, String expected, String replacement);
}
