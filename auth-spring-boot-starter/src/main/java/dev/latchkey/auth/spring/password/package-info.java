@NullMarked
package dev.latchkey.auth.spring.password;

import org.jspecify.annotations.NullMarked;
