package dev.latchkey.auth;

/** A plugin's configuration is incomplete or wrong; the message names the key and says what belongs there. */
public final class PluginConfigException extends RuntimeException {

    /**
     * For a setting that is missing or wrong.
     *
     * @param message names the full key and what is right; it repeats no secret value
     */
    public PluginConfigException(String message) {
        super(message);
    }

    /**
     * The same, where something else noticed it.
     *
     * @param message names the full key and what is right; it repeats no secret value
     * @param cause what noticed it, whose message is logged too
     */
    public PluginConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
