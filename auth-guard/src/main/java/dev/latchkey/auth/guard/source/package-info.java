@NullMarked
package dev.latchkey.auth.guard.source;

import org.jspecify.annotations.NullMarked;
