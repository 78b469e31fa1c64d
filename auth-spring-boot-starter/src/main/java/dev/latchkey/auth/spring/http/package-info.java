/**
 * Reads requests and writes answers, on servlets and on WebFlux. May use {@code settings}. Start with {@link
 * dev.latchkey.auth.spring.http.Answer}, common to both stacks.
 */
@NullMarked
package dev.latchkey.auth.spring.http;

import org.jspecify.annotations.NullMarked;
