/**
 * For the tests of services that use Latchkey's starter. Start with {@link dev.latchkey.auth.test.AutoConfigureLatchkeyTest} for the
 * context, {@link dev.latchkey.auth.test.MockMvcToken} for requests, and {@link dev.latchkey.auth.test.LatchkeyAssertions} for answers.
 */
@NullMarked
package dev.latchkey.auth.test;

import org.jspecify.annotations.NullMarked;
