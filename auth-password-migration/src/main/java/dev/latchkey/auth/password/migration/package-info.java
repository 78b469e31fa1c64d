/**
 * Readers of other systems' stored hashes. Only {@code ForeignFormats} and {@code DangerousFormat} are API. The readers
 * use {@code hash} of {@code auth-password}. Start reading at {@code ForeignHashes}, the list of all readers.
 */
@NullMarked
package dev.latchkey.auth.password.migration;

import org.jspecify.annotations.NullMarked;
