/**
 * The sessions of an account: bound, recorded data, end. This package may use {@code token} and the packages below. Start with
 * {@link dev.latchkey.auth.spring.account.AccountLogins}.
 */
@NullMarked
package dev.latchkey.auth.spring.account;

import org.jspecify.annotations.NullMarked;
