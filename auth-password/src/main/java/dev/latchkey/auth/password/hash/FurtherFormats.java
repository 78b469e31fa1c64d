package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.Nullable;

/**
 * Formats of stored hashes that are read and never written. The module {@code auth-password-migration} has those of other systems. Safe for use by
 * any number of threads.
 */
@FunctionalInterface
public interface FurtherFormats {

    /**
     * Makes a reader of the texts that encoders do not know by themselves.
     *
     * @param own reads what the encoders know: bcrypt, PBKDF2, argon2 and scrypt
     * @param permits for the memory of hashes; null where the encoders do without Bouncy Castle
     * @return asked after {@code own}, about a text that {@code own} does not know
     */
    HashFormat besides(HashFormat own, @Nullable MemoryPermits permits);
}
