/**
 * Permits to hash: how many hashes are computed at once, and who waits how long for one. It may use the root and {@code
 * internal}. Start with {@link dev.latchkey.auth.guard.hashing.HashingPermits}.
 */
@NullMarked
package dev.latchkey.auth.guard.hashing;

import org.jspecify.annotations.NullMarked;
