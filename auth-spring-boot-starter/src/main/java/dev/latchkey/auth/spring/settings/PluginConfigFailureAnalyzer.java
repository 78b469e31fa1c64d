package dev.latchkey.auth.spring.settings;

import dev.latchkey.auth.PluginConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Prints the mistake in the settings of a plugin that is a bean. The message names the plugin's property. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PluginConfigFailureAnalyzer extends AbstractFailureAnalyzer<PluginConfigException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, PluginConfigException cause) {
        return new FailureAnalysis(
                "A plugin cannot start: " + cause.getMessage(), "Correct the settings of this plugin.", cause);
    }
}
