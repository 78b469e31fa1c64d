package dev.latchkey.auth.password.migration.policy;

import dev.latchkey.auth.password.PasswordProblem;
import java.util.Optional;

/**
 * A custom rule for new passwords: for example, the password must not be in a list of breaches or used before. Safe for
 * use by any number of threads.
 */
@FunctionalInterface
public interface PasswordRule {

    /**
     * Judges a password.
     *
     * @param password acceptable text; do not keep its characters
     * @return the problem; empty if there is none
     */
    Optional<PasswordProblem> problemWith(CharSequence password);
}
