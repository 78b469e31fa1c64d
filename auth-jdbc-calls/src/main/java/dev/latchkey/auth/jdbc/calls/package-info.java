/** The database calls of all stores. */
@NullMarked
package dev.latchkey.auth.jdbc.calls;

import org.jspecify.annotations.NullMarked;
