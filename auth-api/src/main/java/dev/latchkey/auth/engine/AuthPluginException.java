package dev.latchkey.auth.engine;

/** A plugin broke its contract: the plugin threw a forbidden exception, or returned null. The login is not authenticated. */
public final class AuthPluginException extends RuntimeException {

    AuthPluginException(String plugin, String message) {
        super("Plugin '" + plugin + "' " + message);
    }

    /** Without a cause: Spring Security would take an exception of its own among the causes for its own denial. */
    AuthPluginException(String plugin, String message, Throwable thrown) {
        this(plugin, message);
        addSuppressed(thrown);
    }
}
