/** An HTTP directory that asks for a PIN after the password: a login source and a login step in one class. */
@NullMarked
package dev.latchkey.examples.pin;

import org.jspecify.annotations.NullMarked;
