@NullMarked
package dev.latchkey.auth.spring.endpoint;

import org.jspecify.annotations.NullMarked;
