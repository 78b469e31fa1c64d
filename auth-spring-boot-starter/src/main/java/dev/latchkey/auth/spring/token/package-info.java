@NullMarked
package dev.latchkey.auth.spring.token;

import org.jspecify.annotations.NullMarked;
