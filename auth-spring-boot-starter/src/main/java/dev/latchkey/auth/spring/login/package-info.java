/**
 * Issues tokens at a login, keeps the session, and ends the session. May use {@code account} and the packages below. Start with
 * {@link dev.latchkey.auth.spring.login.TokenLogin}.
 */
@NullMarked
package dev.latchkey.auth.spring.login;

import org.jspecify.annotations.NullMarked;
