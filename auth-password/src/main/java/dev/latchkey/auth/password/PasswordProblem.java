package dev.latchkey.auth.password;

/**
 * Why a new password is not accepted.
 *
 * @param code stable, for translations: {@code too_short}, {@code too_long}, {@code not_text}, {@code common}, {@code repetitive}, {@code
 *     about_the_account}, or one of a rule of one's own
 * @param message for the person who chose it; holds no part of the password
 */
public record PasswordProblem(String code, String message) {}
