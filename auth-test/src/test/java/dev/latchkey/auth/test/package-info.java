/** Tests of the test support, in a service like the users' services. */
@NullMarked
package dev.latchkey.auth.test;

import org.jspecify.annotations.NullMarked;
