package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.Callers;
import java.security.Principal;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The names under which callers spend a rate. Beside auth-spring-boot-starter, a name is the id of the subject: an account of a
 * provider must not spend the rate of a local account of the same name. An account that acts as another spends its own rate.
 *
 * @param callers null without auth-spring-boot-starter
 */
record CallerNames(Supplier<@Nullable Callers> callers) {

    /** The name of a caller; null without a login. */
    @Nullable
    String of(@Nullable Principal caller) {
        if (caller == null) {
            return null;
        }
        Callers named = callers.get();
        if (named == null) {
            return caller.getName();
        }
        // No id has a control character, so a caller without an id spends no subject's rate.
        return named.of(caller).map(CallerNames::whoAsks).orElseGet(() -> "\n" + caller.getName());
    }

    private static String whoAsks(Subject subject) {
        return subject.actor().filter(Subject::isId).orElse(subject.id());
    }
}
