/**
 * Limits on requests and on bytes, at a pace. It may use {@code bucket} and what that uses. Start with {@link
 * dev.latchkey.auth.guard.throttle.Throttle}.
 */
@NullMarked
package dev.latchkey.auth.guard.throttle;

import org.jspecify.annotations.NullMarked;
