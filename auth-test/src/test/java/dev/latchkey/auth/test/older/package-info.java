/** Slices as the older line of Spring Boot has them. */
@NullMarked
package dev.latchkey.auth.test.older;

import org.jspecify.annotations.NullMarked;
