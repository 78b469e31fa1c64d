package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.Nullable;

/**
 * Formats that are read and never written. The module {@code auth-password-migration} has the formats of other systems.
 * Safe for use by any number of threads.
 */
@FunctionalInterface
public interface FurtherFormats {

    /**
     * Creates a reader of additional formats.
     *
     * @param own reads the encoders' own formats: bcrypt, PBKDF2, argon2 and scrypt
     * @param permits for the memory of hashes; null if the encoders work without Bouncy Castle
     * @return asked only about texts that {@code own} does not know
     */
    HashFormat besides(HashFormat own, @Nullable MemoryPermits permits);
}
