@NullMarked
package dev.latchkey.auth.jwt;

import org.jspecify.annotations.NullMarked;
