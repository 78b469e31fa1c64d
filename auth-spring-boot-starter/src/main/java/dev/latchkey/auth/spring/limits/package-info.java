@NullMarked
package dev.latchkey.auth.spring.limits;

import org.jspecify.annotations.NullMarked;
