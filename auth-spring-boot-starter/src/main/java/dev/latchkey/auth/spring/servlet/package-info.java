/**
 * The parts of a filter chain of Spring Security on servlets: plugins, tokens and the login endpoints. May use {@code endpoint}
 * and the packages below; no other package uses this package. Start with {@link
 * dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer}.
 */
@NullMarked
package dev.latchkey.auth.spring.servlet;

import org.jspecify.annotations.NullMarked;
