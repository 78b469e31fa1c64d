@NullMarked
package dev.latchkey.auth.guard;

import org.jspecify.annotations.NullMarked;
