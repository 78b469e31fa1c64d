/**
 * The SPI for logins: the roles of a plugin, and the values of their methods.
 *
 * <p>Start with {@link dev.latchkey.auth.LoginSource}: a source receives {@link dev.latchkey.auth.Credentials} and
 * returns a {@link dev.latchkey.auth.Decision}. The chain in {@code dev.latchkey.auth.engine} calls the plugins; a
 * plugin does not need the chain.
 */
@NullMarked
package dev.latchkey.auth;

import org.jspecify.annotations.NullMarked;
