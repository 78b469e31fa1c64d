@NullMarked
package dev.latchkey.auth.spring.encoding;

import org.jspecify.annotations.NullMarked;
