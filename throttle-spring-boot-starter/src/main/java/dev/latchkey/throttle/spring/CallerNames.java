package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.Callers;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The names under which callers spend a rate. Anyone may have the name of a local account at a provider, and must not spend the rate
 * of the local account. Beside auth-spring-boot-starter, the name is the id of the subject. Elsewhere, the name has the kind of the
 * login. All other callers have a name with a line break, which no id has.
 *
 * @param callers empty without auth-spring-boot-starter
 */
record CallerNames(Supplier<Optional<Callers>> callers) {

    /** The name of a caller; null without a login. */
    @Nullable
    String of(@Nullable Principal caller) {
        if (caller == null) {
            return null;
        }
        return callers.get()
                .flatMap(named -> named.of(caller))
                .map(CallerNames::whoAsks)
                .orElseGet(() -> caller.getClass().getName() + "\n" + caller.getName());
    }

    /** An account that acts as another must not spend the rate of the other. */
    private static String whoAsks(Subject subject) {
        return subject.actor().map(actor -> "\n" + actor).orElse(subject.id());
    }
}
