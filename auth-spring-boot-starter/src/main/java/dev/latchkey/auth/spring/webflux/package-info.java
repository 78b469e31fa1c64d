/**
 * The parts of a filter chain of Spring Security on WebFlux: plugins, tokens and the login endpoints. May use {@code endpoint},
 * {@code access} and the packages below; no other package uses this package. Start with {@link
 * dev.latchkey.auth.spring.webflux.LatchkeyWebFlux}.
 */
@NullMarked
package dev.latchkey.auth.spring.webflux;

import org.jspecify.annotations.NullMarked;
