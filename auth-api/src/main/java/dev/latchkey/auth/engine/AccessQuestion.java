package dev.latchkey.auth.engine;

import dev.latchkey.auth.Access;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Permission;
import dev.latchkey.auth.PermissionSource;
import dev.latchkey.auth.Subject;
import java.util.List;

/** One question to a chain: whether this subject has this permission. */
record AccessQuestion(Subject subject, Permission permission, PluginCalls calls, Listeners listeners) {

    /** What the first of these sources says that does not abstain; the permission is denied where all abstain. */
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
