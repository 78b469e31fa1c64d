package dev.latchkey.plugins.passkeys;

import dev.latchkey.auth.Account;
import dev.latchkey.auth.AuthUnavailableException;
import java.util.Optional;

/** Finds accounts as they are now: {@link dev.latchkey.auth.engine.AuthChain#account}. Safe for use by any number of threads. */
@FunctionalInterface
public interface AccountLookup {

    /**
     * The account, as this plugin has it now.
     *
     * @param plugin the name of the plugin that knows it
     * @param account the subject's id in the service
     * @return empty where the plugin has no such account
     * @throws AuthUnavailableException if that could not be found out
     */
    Optional<Account> account(String plugin, String account);
}
