package dev.latchkey.auth.engine;

import dev.latchkey.auth.AuthPlugin;

/** A plugin broke its contract: the plugin threw a forbidden exception, or returned null. The login is not authenticated. */
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
     * The name of the plugin.
     *
     * @return {@link AuthPlugin#name()}
     */
    public String plugin() {
        return plugin;
    }
}
