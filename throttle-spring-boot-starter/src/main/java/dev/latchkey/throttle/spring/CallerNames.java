package dev.latchkey.throttle.spring;

import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.Callers;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The names under which callers spend a rate. A user of another provider may have the name of a local account, and must not
 * spend the rate of the local account. With auth-spring-boot-starter, the name is the id of the subject. Without a subject,
 * the name is the class and the name of the principal, with a line break between them. No id contains a line break.
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

    /** An account that acts as another account must not spend the rate of the other account. */
    private static String whoAsks(Subject subject) {
        return subject.actor().map(actor -> "\n" + actor).orElse(subject.id());
    }
}
