/** A service as its owner would write it: accounts in a database, Spring Security, and Latchkey added by one dependency. */
@NullMarked
package dev.latchkey.examples.quickstart;

import org.jspecify.annotations.NullMarked;
