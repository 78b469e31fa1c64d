/**
 * What stands between the network and the password hash: its events, its time, and bounds on waiting. It may use {@code internal}, and
 * all other packages may use it. Start with {@link dev.latchkey.auth.guard.GuardEvent}, which says what the guard does.
 */
@NullMarked
package dev.latchkey.auth.guard;

import org.jspecify.annotations.NullMarked;
