/**
 * What all parts of the guard share: its clock, its events, and the bounds on threads, plugin calls and held refusals. It uses {@code
 * internal} alone. Start reading at {@link dev.latchkey.auth.guard.GuardTime} and {@link dev.latchkey.auth.guard.GuardEvent}.
 */
@NullMarked
package dev.latchkey.auth.guard;

import org.jspecify.annotations.NullMarked;
