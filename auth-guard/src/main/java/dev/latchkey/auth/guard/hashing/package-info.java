/**
 * Permits to compute a password hash: few at a time, within a memory limit. The package uses the clock and the waiting
 * threads of the guard, and knows nothing of accounts or limits. Start reading at
 * {@link dev.latchkey.auth.guard.hashing.HashingPermits}, then {@code PermitQueue}.
 */
@NullMarked
package dev.latchkey.auth.guard.hashing;

import org.jspecify.annotations.NullMarked;
