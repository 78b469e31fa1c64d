@NullMarked
package dev.latchkey.auth.spring.plugin;

import org.jspecify.annotations.NullMarked;
