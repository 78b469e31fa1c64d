/** Tests of the test support, in a service as those that use it are. */
@NullMarked
package dev.latchkey.auth.test;

import org.jspecify.annotations.NullMarked;
