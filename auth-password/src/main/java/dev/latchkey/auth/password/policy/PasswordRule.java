package dev.latchkey.auth.password.policy;

import dev.latchkey.auth.password.PasswordProblem;
import java.util.Optional;

/** One more thing that a new password must not be: found in a list of breaches, used before, and so on. Safe for any number of threads. */
@FunctionalInterface
public interface PasswordRule {

    /** What is wrong with this password; empty for nothing. The characters must not be kept. */
    Optional<PasswordProblem> problemWith(CharSequence password);
}
