@NullMarked
package dev.latchkey.auth.spring.operations;

import org.jspecify.annotations.NullMarked;
