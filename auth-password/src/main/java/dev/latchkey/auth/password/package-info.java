@NullMarked
package dev.latchkey.auth.password;

import org.jspecify.annotations.NullMarked;
