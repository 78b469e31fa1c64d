/** API keys in a Spring Boot service: the beans, the settings and the endpoints. */
@NullMarked
package dev.latchkey.plugins.apikeys.spring;

import org.jspecify.annotations.NullMarked;
