/** Spring's {@code RestClient} and {@code RestTemplate}, with what an {@link dev.latchkey.auth.client.Authorizer} has to show. */
@NullMarked
package dev.latchkey.auth.client.spring;

import org.jspecify.annotations.NullMarked;
