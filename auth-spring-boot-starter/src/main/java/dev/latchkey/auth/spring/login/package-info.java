/**
 * What is issued at a login, kept while it lasts, and ended. It may use {@code account} and what that uses. Start with {@link
 * dev.latchkey.auth.spring.login.TokenLogin}.
 */
@NullMarked
package dev.latchkey.auth.spring.login;

import org.jspecify.annotations.NullMarked;
