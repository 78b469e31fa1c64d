package dev.latchkey.auth;

import java.util.List;

/** One question to a chain: whether this subject may do this. */
record AccessQuestion(Subject subject, Permission permission, PluginCalls calls, Listeners listeners) {

    /** What the first of these plugins says that does not abstain; where all abstain, it may not. */
    boolean ask(List<AuthPlugin> plugins) {
        for (AuthPlugin plugin : plugins) {
            Access access = ask(plugin);
            if (access != Access.ABSTAINED) {
                calls.answered(plugin);
                return decided(plugin.name(), access == Access.GRANTED);
            }
        }
        return decided("", false);
    }

    private boolean decided(String plugin, boolean granted) {
        listeners.accessDecided(plugin, subject, permission, granted);
        return granted;
    }

    private Access ask(AuthPlugin plugin) {
        try {
            return calls.ask(plugin, p -> p.authorize(subject, permission));
        } catch (AuthUnavailableException | AuthPluginException | Error e) {
            listeners.accessUndecided(plugin.name(), subject, permission, e);
            throw e;
        }
    }
}
