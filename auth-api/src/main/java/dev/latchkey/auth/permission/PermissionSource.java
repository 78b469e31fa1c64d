package dev.latchkey.auth.permission;

import dev.latchkey.auth.AuthPlugin;
import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Subject;

/** A plugin for decisions about permissions. */
public interface PermissionSource extends AuthPlugin {

    /**
     * Decides whether the subject has this permission.
     *
     * @param subject of a complete login, with its authorities
     * @param permission an action and the resource of the action
     * @return {@link Access#ABSTAINED} if another permission source shall decide
     * @throws AuthUnavailableException if the plugin could not decide
     */
    Access authorize(Subject subject, Permission permission);
}
