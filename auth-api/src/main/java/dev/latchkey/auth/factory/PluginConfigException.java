package dev.latchkey.auth.factory;

import java.util.List;

/** A plugin's configuration is incomplete or wrong. The message names the key and the right form of the value. */
public final class PluginConfigException extends RuntimeException {

    private final List<String> mistakes;

    /**
     * For a missing or wrong setting.
     *
     * @param message names the full key and the right form; no secret value
     */
    public PluginConfigException(String message) {
        super(message);
        this.mistakes = List.of(message);
    }

    /**
     * For a missing or wrong setting, noticed by other code.
     *
     * @param message names the full key and the right form; no secret value
     * @param cause the original exception; its message is logged too
     */
    public PluginConfigException(String message, Throwable cause) {
        super(message, cause);
        this.mistakes = List.of(message);
    }

    /**
     * For several missing or wrong settings.
     *
     * @param mistakes a sentence for each, with the full key and the right form; no secret value
     */
    public PluginConfigException(List<String> mistakes) {
        super(String.join("; ", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** {@return a sentence for each missing or wrong setting; the message has all of the sentences} */
    public List<String> mistakes() {
        return mistakes;
    }
}
