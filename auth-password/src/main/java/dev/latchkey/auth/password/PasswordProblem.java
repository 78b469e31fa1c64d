package dev.latchkey.auth.password;

/**
 * A rule that a new password breaks.
 *
 * @param code stable, for translations: {@code too_short}, {@code too_long}, {@code not_text}, {@code common},
 *     {@code repetitive}, {@code about_the_account}, or a code of a custom rule
 * @param message for the user; contains no part of the password
 */
public record PasswordProblem(String code, String message) {}
