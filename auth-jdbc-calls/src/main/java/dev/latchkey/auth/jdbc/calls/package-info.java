/** How every store of Latchkey asks a database. */
@NullMarked
package dev.latchkey.auth.jdbc.calls;

import org.jspecify.annotations.NullMarked;
