/**
 * Limits on failed logins, by account, by source, and by both. It may use {@code bucket} and what that uses. Start with {@link
 * dev.latchkey.auth.guard.login.LoginLimits}; {@code LoginSteps} says which buckets stand before a login.
 */
@NullMarked
package dev.latchkey.auth.guard.login;

import org.jspecify.annotations.NullMarked;
