/**
 * What a filter chain of Spring Security gets on servlets: plugins, tokens and the login endpoints. It may use {@code endpoint}
 * and what that uses; no other package needs it. Start with {@link dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer}.
 */
@NullMarked
package dev.latchkey.auth.spring.servlet;

import org.jspecify.annotations.NullMarked;
