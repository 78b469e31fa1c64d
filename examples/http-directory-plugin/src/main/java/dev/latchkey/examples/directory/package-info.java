/** A template: a login source with the users of an HTTP directory. */
@NullMarked
package dev.latchkey.examples.directory;

import org.jspecify.annotations.NullMarked;
