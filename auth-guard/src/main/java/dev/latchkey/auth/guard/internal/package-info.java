/**
 * Three tools that all packages of the guard use: durations, futures, and a keyed hash. It uses no other package, and is no
 * promise to anybody. There is nothing to start with.
 */
@NullMarked
package dev.latchkey.auth.guard.internal;

import org.jspecify.annotations.NullMarked;
