/** WebAuthn passkeys as a second step and as a first factor. Start with {@link dev.latchkey.plugins.passkeys.Passkeys}. */
@NullMarked
package dev.latchkey.plugins.passkeys;

import org.jspecify.annotations.NullMarked;
