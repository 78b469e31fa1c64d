/**
 * What a new password must be, and a generator of good ones. Uses the encoders for the longest password that they take, and digests of
 * {@code hash}. Start reading at {@code PasswordPolicy}.
 */
@NullMarked
package dev.latchkey.auth.password.migration.policy;

import org.jspecify.annotations.NullMarked;
