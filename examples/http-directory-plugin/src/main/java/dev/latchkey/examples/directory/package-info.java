/** A template: users of a directory that is asked over HTTP, as a login source of its own. */
@NullMarked
package dev.latchkey.examples.directory;

import org.jspecify.annotations.NullMarked;
