/**
 * Latchkey in a Spring Boot service: the auto-configurations, and the one line that turns on plugins and tokens in a filter
 * chain, {@link dev.latchkey.auth.spring.servlet.LatchkeyHttpConfigurer}.
 */
@NullMarked
package dev.latchkey.auth.spring;

import org.jspecify.annotations.NullMarked;
