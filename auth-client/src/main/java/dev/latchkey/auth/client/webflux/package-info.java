/** Spring's {@code WebClient}, with what an {@link dev.latchkey.auth.client.Authorizer} has to show. */
@NullMarked
package dev.latchkey.auth.client.webflux;

import org.jspecify.annotations.NullMarked;
