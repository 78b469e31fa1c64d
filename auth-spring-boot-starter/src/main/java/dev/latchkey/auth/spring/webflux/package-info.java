/**
 * What a filter chain of Spring Security gets on WebFlux: plugins, tokens and the login endpoints. It may use {@code endpoint}
 * and {@code access} and what those use; no other package needs it. Start with {@link dev.latchkey.auth.spring.webflux.LatchkeyWebFlux}.
 */
@NullMarked
package dev.latchkey.auth.spring.webflux;

import org.jspecify.annotations.NullMarked;
