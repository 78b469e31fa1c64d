package dev.latchkey.auth.password.migration.policy;

import dev.latchkey.auth.password.PasswordProblem;
import java.util.Optional;

/** One more thing that a new password must not be: found in a list of breaches, used before, and so on. Safe for use by any number of threads. */
@FunctionalInterface
public interface PasswordRule {

    /**
     * Judges a password.
     *
     * @param password of acceptable text; its characters must not be kept
     * @return what is wrong with it; empty for nothing
     */
    Optional<PasswordProblem> problemWith(CharSequence password);
}
