/**
 * What several packages of the guard need and a service must not use: durations, futures, a keyed hash, and a queue of actions that run one after
 * the other. It uses the JDK and the
 * exceptions of auth-api alone. Start reading at {@link dev.latchkey.auth.guard.internal.Futures}.
 */
@NullMarked
package dev.latchkey.auth.guard.internal;

import org.jspecify.annotations.NullMarked;
