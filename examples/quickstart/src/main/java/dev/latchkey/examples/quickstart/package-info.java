/** A service as its owner would write the code: accounts in a database, Spring Security, and Latchkey added by a single dependency. */
@NullMarked
package dev.latchkey.examples.quickstart;

import org.jspecify.annotations.NullMarked;
