package dev.latchkey.auth;

import java.util.List;

/**
 * The plugins that configuration asks for cannot be had; says everything that is wrong at once, and what there is. What the
 * plugins threw is among the {@linkplain #getSuppressed() suppressed}.
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
