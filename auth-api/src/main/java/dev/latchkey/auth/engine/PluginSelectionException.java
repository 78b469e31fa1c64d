package dev.latchkey.auth.engine;

import java.util.List;

/**
 * The configured plugins cannot be made. The message lists all mistakes at once, and the existing plugins. The exceptions of the
 * plugins are {@linkplain #getSuppressed() suppressed} exceptions, without the messages that contain a secret setting.
 */
public final class PluginSelectionException extends RuntimeException {

    private final List<String> mistakes;

    PluginSelectionException(List<String> mistakes, List<Throwable> causes) {
        super(String.join("; ", mistakes));
        causes.forEach(this::addSuppressed);
        this.mistakes = List.copyOf(mistakes);
    }

    /**
     * A sentence for each mistake.
     *
     * @return unmodifiable; the message contains all of the sentences too
     */
    public List<String> mistakes() {
        return mistakes;
    }
}
