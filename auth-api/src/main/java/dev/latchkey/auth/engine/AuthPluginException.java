package dev.latchkey.auth.engine;

/** A plugin broke its contract: the plugin threw a forbidden exception, or returned null. The login is not authenticated. */
public final class AuthPluginException extends RuntimeException {

    AuthPluginException(String plugin, String message) {
        super("Plugin '" + plugin + "' " + message);
    }

    AuthPluginException(String plugin, String message, Throwable cause) {
        super("Plugin '" + plugin + "' " + message, cause);
    }
}
