package dev.latchkey.auth;

/** A plugin's configuration is incomplete or wrong. The message names the key and the right form of the value. */
public final class PluginConfigException extends RuntimeException {

    /**
     * For a missing or wrong setting.
     *
     * @param message names the full key and the right form; no secret value
     */
    public PluginConfigException(String message) {
        super(message);
    }

    /**
     * For a missing or wrong setting, noticed by other code.
     *
     * @param message names the full key and the right form; no secret value
     * @param cause the original exception; its message is logged too
     */
    public PluginConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
