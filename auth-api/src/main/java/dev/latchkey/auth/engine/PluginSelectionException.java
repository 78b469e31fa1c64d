package dev.latchkey.auth.engine;

import java.util.List;

/**
 * The configured plugins cannot be made. The message lists all problems at once, and the existing plugins. The exceptions of the
 * plugins are {@linkplain #getSuppressed() suppressed} exceptions.
 */
public final class PluginSelectionException extends RuntimeException {

    private final List<String> problems;

    PluginSelectionException(List<String> problems, List<Throwable> causes) {
        super(String.join("; ", problems));
        causes.forEach(this::addSuppressed);
        this.problems = List.copyOf(problems);
    }

    /**
     * A sentence for each problem.
     *
     * @return unmodifiable; the message contains all of the sentences too
     */
    public List<String> problems() {
        return problems;
    }
}
