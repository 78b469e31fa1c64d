package dev.latchkey.auth;

/** A plugin's configuration is incomplete or wrong; the message names the key and says what belongs there. */
public final class PluginConfigException extends RuntimeException {

    public PluginConfigException(String message) {
        super(message);
    }

    public PluginConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
