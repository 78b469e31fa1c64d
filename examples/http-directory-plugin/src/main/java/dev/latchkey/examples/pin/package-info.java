/** An HTTP directory with a PIN after the password: a single class is the login source and the login step. */
@NullMarked
package dev.latchkey.examples.pin;

import org.jspecify.annotations.NullMarked;
