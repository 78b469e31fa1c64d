/**
 * Readers of the texts that other systems store; of this, only {@code DangerousFormat} is API. They use {@code hash} and no other package of
 * this module. Start reading at {@code HashFormats}, which knows them all.
 */
@NullMarked
package dev.latchkey.auth.password.format;

import org.jspecify.annotations.NullMarked;
