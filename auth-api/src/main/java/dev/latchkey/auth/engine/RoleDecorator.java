package dev.latchkey.auth.engine;

import dev.latchkey.auth.Credentials;
import dev.latchkey.auth.LoginSource;
import dev.latchkey.auth.LoginStep;
import dev.latchkey.auth.PermissionSource;

/** Puts something around the roles of plugins that may wait for a network: a bound on concurrent calls, a cache. Names stay the same. */
public interface RoleDecorator {

    /**
     * What is asked in place of this source.
     *
     * @param <C> the kind of credentials
     * @param source of the chain
     * @return the source itself unless overridden. A result that is a {@link dev.latchkey.auth.CredentialsRevoker} is asked to revoke
     *     in the plugin's place, and has to pass each revocation on
     */
    default <C extends Credentials> LoginSource<C> around(LoginSource<C> source) {
        return source;
    }

    /**
     * What is asked in place of this step.
     *
     * @param step of the chain
     * @return the step itself unless overridden
     */
    default LoginStep around(LoginStep step) {
        return step;
    }

    /**
     * What is asked in place of this permission source.
     *
     * @param permissions of the chain
     * @return the permission source itself unless overridden
     */
    default PermissionSource around(PermissionSource permissions) {
        return permissions;
    }
}
