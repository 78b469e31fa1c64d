package dev.latchkey.plugins.passkeys.spring;

import dev.latchkey.auth.PluginConfigException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Prints the mistake and its correction instead of a stack trace. Runs first, since Boot also has analyzers for wrapping
 * exceptions.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PluginConfigFailureAnalyzer extends AbstractFailureAnalyzer<PluginConfigException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, PluginConfigException cause) {
        return new FailureAnalysis(
                "Passkeys cannot be had: " + cause.getMessage(),
                "Correct the settings under " + PasskeysProperties.PREFIX + ".",
                cause);
    }
}
