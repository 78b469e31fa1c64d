/**
 * Replaces old hashes after their owners have logged in, and the stores that take the new ones. Uses the encoders, and nothing of
 * {@code hash} or {@code format}. Start reading at {@code PasswordUpgrade}, then {@code StoredPasswords}.
 */
@NullMarked
package dev.latchkey.auth.password.upgrade;

import org.jspecify.annotations.NullMarked;
