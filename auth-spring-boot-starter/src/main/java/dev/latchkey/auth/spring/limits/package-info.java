/**
 * The login limits and the second step around whatever decides a login, and the answer to what they refuse. It may use {@code plugin} and what
 * that uses; no other package needs it. Start with {@code PasswordLogins}, and {@code RefusalFilter} for the answer.
 */
@NullMarked
package dev.latchkey.auth.spring.limits;

import org.jspecify.annotations.NullMarked;
