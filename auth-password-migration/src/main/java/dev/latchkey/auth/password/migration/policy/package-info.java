/**
 * Rules for new passwords, and a generator. Uses the encoders for the longest password, and digests of {@code hash}.
 * Start reading at {@code PasswordPolicy}.
 */
@NullMarked
package dev.latchkey.auth.password.migration.policy;

import org.jspecify.annotations.NullMarked;
