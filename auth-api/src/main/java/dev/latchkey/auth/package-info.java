/**
 * The SPI for logins: the roles of a plugin, and the values that a plugin takes and gives.
 *
 * <p>Start with {@link dev.latchkey.auth.LoginSource}: a source is shown {@link dev.latchkey.auth.Credentials} and answers with a {@link
 * dev.latchkey.auth.Decision}. The chain that asks plugins is in {@code dev.latchkey.auth.engine}; a plugin does not need it.
 */
@NullMarked
package dev.latchkey.auth;

import org.jspecify.annotations.NullMarked;
