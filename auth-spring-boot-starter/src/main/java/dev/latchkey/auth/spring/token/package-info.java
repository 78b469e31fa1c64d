/**
 * Signing keys and their rotation, the decoders, and the service as a resource server. May use {@code plugin} and the packages
 * below. Start with {@link dev.latchkey.auth.spring.token.LatchkeyJwtAutoConfiguration}.
 */
@NullMarked
package dev.latchkey.auth.spring.token;

import org.jspecify.annotations.NullMarked;
