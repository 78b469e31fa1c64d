package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Verdict;
import java.util.Optional;

/**
 * Finds the present state of accounts: {@link dev.latchkey.auth.engine.DecidedLogins#account}. Safe for use by any number of
 * threads.
 */
@FunctionalInterface
public interface AccountLookup {

    /**
     * The present account of this plugin.
     *
     * @param plugin the name of the account's plugin
     * @param account the subject's id in the service
     * @return empty if the plugin has no such account
     * @throws AuthUnavailableException if the plugin could not decide
     */
    Optional<Verdict> account(String plugin, String account);
}
