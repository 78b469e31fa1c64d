package dev.latchkey.auth.spring.settings;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Prints the mistake in the configuration instead of a stack trace. First in order, because Boot has analysers for wrapping
 * exceptions.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LatchkeyFailureAnalyzer extends AbstractFailureAnalyzer<LatchkeyConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LatchkeyConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
