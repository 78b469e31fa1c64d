@NullMarked
package dev.latchkey.auth.spring.login;

import org.jspecify.annotations.NullMarked;
