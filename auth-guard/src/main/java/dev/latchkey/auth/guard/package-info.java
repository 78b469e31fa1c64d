/**
 * Shared parts of the guard: its clock, its events, and the limits on threads, plugin calls and held rejections. The
 * package uses only {@code internal}. Start reading at {@link dev.latchkey.auth.guard.GuardTime} and
 * {@link dev.latchkey.auth.guard.GuardEvent}.
 */
@NullMarked
package dev.latchkey.auth.guard;

import org.jspecify.annotations.NullMarked;
