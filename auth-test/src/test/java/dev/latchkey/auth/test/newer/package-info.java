/** Slices as the newer line of Spring Boot has them. */
@NullMarked
package dev.latchkey.auth.test.newer;

import org.jspecify.annotations.NullMarked;
