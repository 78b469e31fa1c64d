/**
 * Readers of the texts that other systems store; of this, {@code ForeignFormats} and {@code DangerousFormat} are API. They use {@code hash} of
 * {@code auth-password}. Start reading at {@code ForeignHashes}, which knows them all.
 */
@NullMarked
package dev.latchkey.auth.password.migration;

import org.jspecify.annotations.NullMarked;
