package dev.latchkey.plugins.apikeys.store;

import dev.latchkey.auth.Authenticated;
import dev.latchkey.auth.Subject;
import dev.latchkey.auth.engine.PluginNames;

/**
 * The owner of a key.
 *
 * @param account the subject's id
 * @param plugin the plugin with the account. For the check of a key, this plugin reports the state and the authorities
 *     of the account. Empty without such a plugin, for example for the account of a machine
 */
public record KeyOwner(String account, String plugin) {

    /**
     * Checks both values.
     *
     * @param account the subject's id
     * @param plugin the plugin with the account; empty without such a plugin
     * @throws IllegalArgumentException if the account cannot be a subject's id, or the plugin's name has a wrong form
     */
    public KeyOwner {
        Subject.of(account);
        if (!plugin.isEmpty()) {
            PluginNames.require(plugin);
        }
    }

    /**
     * An account without a plugin: its keys end only by their date, or when they are revoked.
     *
     * @param account the subject's id
     * @return an owner without a plugin
     */
    public static KeyOwner of(String account) {
        return new KeyOwner(account, "");
    }

    /**
     * The account of a login, with the plugin that decided the login.
     *
     * @param login decided by the chain
     * @return an owner in this plugin
     */
    public static KeyOwner of(Authenticated login) {
        return new KeyOwner(login.subject().id(), login.plugin());
    }

    /**
     * Whether the owner has a plugin that reports the state of the account.
     *
     * @return {@code false} for an owner without a plugin
     */
    public boolean isKnownToAPlugin() {
        return !plugin.isEmpty();
    }
}
