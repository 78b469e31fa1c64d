package dev.latchkey.plugins.apikeys.spring;

import dev.latchkey.auth.PluginConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Prints the necessary settings in place of a stack trace. Has the highest precedence, because Boot has analysers for
 * wrapping exceptions.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PluginConfigFailureAnalyzer extends AbstractFailureAnalyzer<PluginConfigException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, PluginConfigException cause) {
        return new FailureAnalysis(
                "API keys cannot start: " + cause.getMessage(),
                "Correct the settings under " + ApiKeysProperties.PREFIX + ".",
                cause);
    }
}
