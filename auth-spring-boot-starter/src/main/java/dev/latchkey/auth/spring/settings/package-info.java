@NullMarked
package dev.latchkey.auth.spring.settings;

import org.jspecify.annotations.NullMarked;
