@NullMarked
package dev.latchkey.auth.guard.hashing;

import org.jspecify.annotations.NullMarked;
