/**
 * Replaces old hashes after a login, with stores for the new hashes. Uses the encoders, and nothing of {@code hash} or
 * {@code format}. Start reading at {@code PasswordUpgrade}, then {@code StoredPasswords}.
 */
@NullMarked
package dev.latchkey.auth.password.upgrade;

import org.jspecify.annotations.NullMarked;
