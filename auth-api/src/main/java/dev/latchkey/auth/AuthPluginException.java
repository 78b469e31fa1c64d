package dev.latchkey.auth;

/** A plugin broke its contract: it threw what it must not, or answered nothing. Nobody is authenticated by that. */
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
     * The name of the plugin to look into.
     *
     * @return {@link AuthPlugin#name()} of that one
     */
    public String plugin() {
        return plugin;
    }
}
