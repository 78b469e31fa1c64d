/**
 * The four algorithms for new hashes (argon2id, scrypt, bcrypt, PBKDF2), and shared code for readers of stored hashes,
 * including {@code auth-password-migration}. Only {@code MemoryPermits} is API. The package uses no other package of
 * this module. Start reading at {@code HashFormat}, then {@code BcryptFormat}.
 */
@NullMarked
package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.NullMarked;
