/**
 * What is read from a request and what is written as an answer, on servlets and on WebFlux. It may use {@code settings}. Start
 * with {@link dev.latchkey.auth.spring.http.Answer}, which both servers write.
 */
@NullMarked
package dev.latchkey.auth.spring.http;

import org.jspecify.annotations.NullMarked;
