/** Passkeys in a Spring Boot service: the beans, the settings and the endpoints. */
@NullMarked
package dev.latchkey.plugins.passkeys.spring;

import org.jspecify.annotations.NullMarked;
