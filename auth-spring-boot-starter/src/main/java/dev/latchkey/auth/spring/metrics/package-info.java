@NullMarked
package dev.latchkey.auth.spring.metrics;

import org.jspecify.annotations.NullMarked;
