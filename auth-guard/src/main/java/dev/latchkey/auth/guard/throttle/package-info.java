@NullMarked
package dev.latchkey.auth.guard.throttle;

import org.jspecify.annotations.NullMarked;
