package dev.latchkey.plugins.apikeys;

import dev.latchkey.auth.AuthUnavailableException;
import dev.latchkey.auth.Verdict;
import java.util.Optional;

/**
 * Reads the present state of accounts: {@link dev.latchkey.auth.engine.DecidedLogins#account}. Safe for use by any number
 * of threads.
 */
@FunctionalInterface
public interface AccountLookup {

    /**
     * The present state of the account in this plugin.
     *
     * @param plugin the name of the plugin with the account
     * @param account the subject's id in the plugin
     * @return empty if the plugin has no such account
     * @throws AuthUnavailableException if the plugin does not answer
     */
    Optional<Verdict> account(String plugin, String account);
}
