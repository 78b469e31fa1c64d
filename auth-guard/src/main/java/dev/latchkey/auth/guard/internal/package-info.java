@NullMarked
package dev.latchkey.auth.guard.internal;

import org.jspecify.annotations.NullMarked;
