@NullMarked
package dev.latchkey.auth.spring.http;

import org.jspecify.annotations.NullMarked;
