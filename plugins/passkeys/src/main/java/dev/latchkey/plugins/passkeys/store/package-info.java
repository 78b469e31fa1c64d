/** The table of passkeys, in memory or in a database. Start with {@link dev.latchkey.plugins.passkeys.store.PasskeyStore}. */
@NullMarked
package dev.latchkey.plugins.passkeys.store;

import org.jspecify.annotations.NullMarked;
