package dev.latchkey.auth.engine;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.permission.PermissionSource;

/**
 * Decorates the roles of plugins, because a plugin may wait for a network: with a bound on concurrent calls, or with a cache. A
 * decorated role keeps its name.
 */
public interface RoleDecorator {

    /**
     * The replacement of this source.
     *
     * @param <C> the kind of credentials
     * @param source of the chain
     * @return the source itself unless overridden. If the result is a {@link dev.latchkey.auth.CredentialsRevoker}, the chain
     *     asks the result instead of the plugin. Such a result must pass each revocation on to the plugin
     */
    default <C extends Credentials> LoginSource<C> around(LoginSource<C> source) {
        return source;
    }

    /**
     * The replacement of this step.
     *
     * @param step of the chain
     * @return the step itself unless overridden
     */
    default LoginStep around(LoginStep step) {
        return step;
    }

    /**
     * The replacement of this permission source.
     *
     * @param permissions of the chain
     * @return the permission source itself unless overridden
     */
    default PermissionSource around(PermissionSource permissions) {
        return permissions;
    }
}
