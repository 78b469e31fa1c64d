package dev.latchkey.auth.engine;

import dev.latchkey.auth.Subject;
import java.security.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names the callers of a plugin's endpoints. {@link Principal#getName} alone is no account: an account of an OpenID provider may
 * have the name of a local account. Implemented by the host of the chain; safe for use by any number of threads.
 */
@FunctionalInterface
public interface Callers {

    /**
     * The subject of a caller, named as the chain names its subjects.
     *
     * @param caller from the request; null without a login
     * @return with {@link Subject#actor}, if another account acts as the subject; empty without a login, and for a name that no
     *     subject can have
     */
    Optional<Subject> of(@Nullable Principal caller);
}
