@NullMarked
package dev.latchkey.auth.spring.throttle;

import org.jspecify.annotations.NullMarked;
