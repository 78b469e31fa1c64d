@NullMarked
package dev.latchkey.auth.spring.webflux;

import org.jspecify.annotations.NullMarked;
