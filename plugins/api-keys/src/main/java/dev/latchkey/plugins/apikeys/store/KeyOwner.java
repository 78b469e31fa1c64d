package dev.latchkey.plugins.apikeys.store;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.PluginNames;
import dev.latchkey.auth.Subject;

/**
 * Whose key it is.
 *
 * @param account the subject's id
 * @param plugin the plugin that knows the account, which is asked for its state and its authorities while the key is used; empty where none
 *     can be asked, as for the account of a machine that exists nowhere else
 */
public record KeyOwner(String account, String plugin) {

    /**
     * @param account the subject's id
     * @param plugin the plugin that knows the account, which is asked for its state and its authorities while the key is used; empty where none can
     *     be asked, as for the account of a machine that exists nowhere else
     * @throws IllegalArgumentException if the account can be no subject's id, or the plugin's name is none
     */
    public KeyOwner {
        Subject.of(account);
        if (!plugin.isEmpty()) {
            PluginNames.require(plugin);
        }
    }

    /**
     * An account that no plugin can be asked about: its keys end by their date, or when they are revoked.
     *
     * @param account the subject's id
     * @return an owner without a plugin
     */
    public static KeyOwner of(String account) {
        return new KeyOwner(account, "");
    }

    /**
     * Who has just logged in, where the plugin that decided can be asked about the account later.
     *
     * @param login as the chain decided it
     * @return an owner in the plugin that decided the login
     */
    public static KeyOwner of(Authenticated login) {
        return new KeyOwner(login.subject().id(), login.plugin());
    }

    /**
     * Whether a plugin can be asked about the account.
     *
     * @return {@code false} for an owner that was named without one
     */
    public boolean isKnownToAPlugin() {
        return !plugin.isEmpty();
    }
}
