package dev.latchkey.auth.spring.plugin;

import dev.latchkey.auth.engine.PluginSelectionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Prints the missing plugin and the available plugins instead of a stack trace. First in order, because Boot has analysers for
 * wrapping exceptions.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PluginSelectionFailureAnalyzer extends AbstractFailureAnalyzer<PluginSelectionException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, PluginSelectionException cause) {
        return new FailureAnalysis(
                "The auth plugins that the configuration asks for cannot be had:\n  - "
                        + String.join("\n  - ", cause.problems()),
                "Correct latchkey.plugins and the settings under latchkey.plugin.<name>, or add the jar that holds the plugin.",
                cause);
    }
}
