/** One strict reader of JSON objects, for logins on either side. */
@NullMarked
package dev.latchkey.auth.json;

import org.jspecify.annotations.NullMarked;
