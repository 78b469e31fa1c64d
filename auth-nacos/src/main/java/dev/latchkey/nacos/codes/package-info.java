/** One-time codes as a second step of logins. */
@NullMarked
package dev.latchkey.nacos.codes;

import org.jspecify.annotations.NullMarked;
