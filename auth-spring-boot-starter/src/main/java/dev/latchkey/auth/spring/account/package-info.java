/**
 * The logins of an account that are kept: how many there may be, what is recorded of each, and how they end. It may use {@code token}
 * and what that uses. Start with {@link dev.latchkey.auth.spring.account.AccountLogins}.
 */
@NullMarked
package dev.latchkey.auth.spring.account;

import org.jspecify.annotations.NullMarked;
