package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;

/** A plugin broke its contract: it threw an exception that the contract does not allow, or returned null. Nobody is authenticated. */
public final class AuthPluginException extends RuntimeException {

    private final String plugin;

    AuthPluginException(String plugin, String message) {
        super("Plugin '" + plugin + "' " + message);
        this.plugin = plugin;
    }

    AuthPluginException(String plugin, String message, Throwable cause) {
        super("Plugin '" + plugin + "' " + message, cause);
        this.plugin = plugin;
    }

    /**
     * The name of that plugin.
     *
     * @return {@link AuthPlugin#name()} of that one
     */
    public String plugin() {
        return plugin;
    }
}
