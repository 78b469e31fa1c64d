/**
 * The four algorithms that are written (argon2id, scrypt, bcrypt, PBKDF2), and what every reader of a stored hash needs, those of
 * {@code auth-password-migration} too. Of this, only {@code MemoryPermits} is API. It uses no other package of this module. Start reading at {@code HashFormat}, then {@code BcryptFormat}.
 */
@NullMarked
package dev.latchkey.auth.password.hash;

import org.jspecify.annotations.NullMarked;
