/** Spring's {@code WebClient} with the credentials of an {@link dev.latchkey.auth.client.Authorizer}. */
@NullMarked
package dev.latchkey.auth.client.webflux;

import org.jspecify.annotations.NullMarked;
