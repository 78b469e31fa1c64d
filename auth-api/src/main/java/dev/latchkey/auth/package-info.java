/**
 * The SPI for login and token validation, and the chain that runs it.
 *
 * <p>A login source implements {@link dev.latchkey.auth.AuthPlugin}: it is shown {@link dev.latchkey.auth.Credentials}
 * and answers with a {@link dev.latchkey.auth.Decision}. {@link dev.latchkey.auth.PluginDirectory} finds and orders
 * plugins by name, {@link dev.latchkey.auth.AuthChain} runs them and fails closed. Both live beside what they handle,
 * since only the chain may write into a verdict who decided and how long it holds.
 */
@NullMarked
package dev.latchkey.auth;

import org.jspecify.annotations.NullMarked;
