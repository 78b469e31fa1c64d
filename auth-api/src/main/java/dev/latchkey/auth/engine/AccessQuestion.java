package dev.latchkey.auth.engine;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.PermissionSource;
import dev.latchkey.auth.Subject;
import java.util.List;
import java.util.Objects;

/** A question to a chain: whether this subject has this permission. */
record AccessQuestion(Subject subject, Permission permission, PluginCalls calls, Listeners listeners) {

    AccessQuestion {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(permission, "permission");
    }

    /** The decision of the first source that does not abstain; denied if all sources abstain. */
    boolean ask(List<PermissionSource> sources) {
        for (PermissionSource source : sources) {
            Access access = ask(source);
            if (access != Access.ABSTAINED) {
                calls.answered(source);
                return decided(source.name(), access == Access.GRANTED);
            }
        }
        return decided("", false);
    }

    private boolean decided(String plugin, boolean granted) {
        listeners.accessDecided(plugin, subject, permission, granted);
        return granted;
    }

    private Access ask(PermissionSource source) {
        try {
            return calls.ask(source, asked -> asked.authorize(subject, permission));
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            listeners.accessUndecided(source.name(), subject, permission, e);
            throw e;
        }
    }
}
