@NullMarked
package dev.latchkey.auth.guard.login;

import org.jspecify.annotations.NullMarked;
