@NullMarked
package dev.latchkey.auth.guard.bucket;

import org.jspecify.annotations.NullMarked;
