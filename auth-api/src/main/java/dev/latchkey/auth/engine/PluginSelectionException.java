package dev.latchkey.auth.engine;

import java.util.List;

/**
 * The plugins that configuration selects cannot be made. The message lists all problems at once, and the plugins that exist. The exceptions of the
 * plugins are {@linkplain #getSuppressed() suppressed} ones.
 */
public final class PluginSelectionException extends RuntimeException {

    private final List<String> problems;

    PluginSelectionException(List<String> problems, List<Throwable> causes) {
        super(String.join("; ", problems));
        causes.forEach(this::addSuppressed);
        this.problems = List.copyOf(problems);
    }

    /**
     * One sentence for each problem.
     *
     * @return a list that cannot be modified; the message has all of them too
     */
    public List<String> problems() {
        return problems;
    }
}
