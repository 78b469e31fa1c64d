@NullMarked
package dev.latchkey.auth.cache;

import org.jspecify.annotations.NullMarked;
