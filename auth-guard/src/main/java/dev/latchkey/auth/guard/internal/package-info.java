/**
 * Code shared by several packages of the guard, not for services: durations, futures and a keyed hash. The package
 * uses only the JDK and the exceptions of auth-api. Start reading at {@link dev.latchkey.auth.guard.internal.Futures}.
 */
@NullMarked
package dev.latchkey.auth.guard.internal;

import org.jspecify.annotations.NullMarked;
